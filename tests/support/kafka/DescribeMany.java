// SPDX-License-Identifier: Apache-2.0
// Java's Admin and many transactional ids PREFIX0 ... PREFIX(COUNT-1), for the benchmark of the authority.
//   DescribeMany BOOTSTRAP mint PREFIX COUNT            one epoch for each id, then "minted COUNT"
//   DescribeMany BOOTSTRAP describe PREFIX COUNT        a round at once and one more for each line on standard input;
//                                                       a line each: nanoseconds, and sums of what was told
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AdminClientConfig;

public final class DescribeMany {
    public static void main(String[] args) throws Exception {
        if (args.length < 4) {
            System.err.println("usage: DescribeMany BOOTSTRAP mint|describe PREFIX COUNT");
            System.exit(2);
        }
        List<String> ids = new ArrayList<>();
        for (int i = 0; i < Integer.parseInt(args[3]); ++i) {
            ids.add(args[2] + i);
        }
        var input = new BufferedReader(new InputStreamReader(System.in));
        try (Admin admin = Admin.create(Map.of(AdminClientConfig.BOOTSTRAP_SERVERS_CONFIG, args[0],
                AdminClientConfig.DEFAULT_API_TIMEOUT_MS_CONFIG, 120_000))) {
            if (args[1].equals("mint")) {
                mint(admin, ids);
            } else {
                do {
                    describe(admin, ids);
                } while (input.readLine() != null);
            }
        }
    }

    /** One id a request: many in one request time out. */
    private static void mint(Admin admin, List<String> ids) throws Exception {
        var workers = Executors.newFixedThreadPool(4);
        List<Future<?>> open = new ArrayList<>();
        for (String id : ids) {
            open.add(workers.submit(() -> admin.fenceProducers(List.of(id)).all().get(60, TimeUnit.SECONDS)));
        }
        for (Future<?> each : open) {
            each.get();
        }
        workers.shutdown();
        System.out.println("minted " + ids.size());
    }

    private static void describe(Admin admin, List<String> ids) throws Exception {
        long begun = System.nanoTime();
        var told = admin.describeTransactions(ids).all().get(60, TimeUnit.SECONDS);
        long took = System.nanoTime() - begun;
        long producers = 0;
        long epochs = 0;
        for (var each : told.values()) {
            producers += each.producerId();
            epochs += each.producerEpoch();
        }
        System.out.println(took + " " + told.size() + " " + producers + " " + epochs);
        System.out.flush();
    }
}
