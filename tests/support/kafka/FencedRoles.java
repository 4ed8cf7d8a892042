// SPDX-License-Identifier: Apache-2.0
// Mints epochs of several roles at once, without holding any, until each has reached EPOCH, and tells of each one line:
//   java -cp "JARS/*" FencedRoles.java BOOTSTRAP EPOCH ROLE...
//   {"role":"a","pair":"2000:32764","node":3}
// An epoch takes a producerId 32,766 mints to run out: a minute and more.
import java.util.List;
import java.util.Map;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.apache.kafka.clients.admin.Admin;

public final class FencedRoles {
    public static void main(String[] args) throws Exception {
        if (args.length < 3) {
            System.err.println("usage: FencedRoles BOOTSTRAP EPOCH ROLE...");
            System.exit(2);
        }
        int epoch = Integer.parseInt(args[1]);
        var roles = List.of(args).subList(2, args.length);
        // A client for each: one that fences several at a time waits 40 ms for each round.
        var threads = Executors.newFixedThreadPool(roles.size());
        var told = roles.stream().map(role -> threads.submit(() -> fence(args[0], epoch, role)))
                .collect(Collectors.toList());
        for (Future<String> each : told) {
            System.out.println(each.get());
        }
        threads.shutdown();
    }

    private static String fence(String bootstrap, int epoch, String role) throws Exception {
        try (Admin admin = Admin.create(Map.of("bootstrap.servers", bootstrap, "retry.backoff.ms", 5L))) {
            String pair;
            int reached;
            do {
                var result = admin.fenceProducers(List.of(role));
                reached = result.epochId(role).get(60, TimeUnit.SECONDS);
                pair = result.producerId(role).get(60, TimeUnit.SECONDS) + ":" + reached;
            } while (reached < epoch);
            int node = admin.describeTransactions(List.of(role)).description(role).get(60, TimeUnit.SECONDS).coordinatorId();
            return String.format("{\"role\":\"%s\",\"pair\":\"%s\",\"node\":%d}", role, pair, node);
        }
    }
}
