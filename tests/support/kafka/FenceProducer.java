// SPDX-License-Identifier: Apache-2.0
// Fences one transactional id N times, one call after the other: each call mints a new epoch. Prints one JSON line.
//   java -cp "JARS/*" FenceProducer.java BOOTSTRAP ID [TIMES]
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AdminClientConfig;

public final class FenceProducer {
    public static void main(String[] args) throws Exception {
        if (args.length < 2 || args.length > 3) {
            System.err.println("usage: FenceProducer BOOTSTRAP ID [TIMES]");
            System.exit(2);
        }
        int times = args.length == 3 ? Integer.parseInt(args[2]) : 1;
        long producerId = -1;
        short epoch = -1;
        long began = System.nanoTime();
        try (Admin admin = Admin.create(Map.<String, Object>of(AdminClientConfig.BOOTSTRAP_SERVERS_CONFIG, args[0],
                AdminClientConfig.RETRY_BACKOFF_MS_CONFIG, 20L))) {
            for (int i = 0; i < times; i++) {
                var result = admin.fenceProducers(List.of(args[1]));
                producerId = result.producerId(args[1]).get(30, TimeUnit.SECONDS);
                epoch = result.epochId(args[1]).get(30, TimeUnit.SECONDS);
            }
        }
        System.out.printf("{\"event\":\"fenced\",\"times\":%d,\"producerId\":%d,\"producerEpoch\":%d,\"ms\":%d}%n", times,
                producerId, epoch, (System.nanoTime() - began) / 1_000_000);
    }
}
