// SPDX-License-Identifier: Apache-2.0
// What Java's Admin says of transactional ids, one JSON line each; for comparison with the wire client.
//   java -cp "JARS/*" DescribeTransactions.java BOOTSTRAP ID...
import java.util.Arrays;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AdminClientConfig;
import org.apache.kafka.common.errors.ApiException;
import org.apache.kafka.common.protocol.Errors;

public final class DescribeTransactions {
    public static void main(String[] args) throws Exception {
        if (args.length < 2) {
            System.err.println("usage: DescribeTransactions BOOTSTRAP ID...");
            System.exit(2);
        }
        var ids = Arrays.asList(args).subList(1, args.length);
        try (Admin admin = Admin.create(Map.<String, Object>of(AdminClientConfig.BOOTSTRAP_SERVERS_CONFIG, args[0]))) {
            var result = admin.describeTransactions(ids);
            for (String id : ids) {
                try {
                    var told = result.description(id).get(30, TimeUnit.SECONDS);
                    var partitions = told.topicPartitions().stream().map(Object::toString).sorted()
                            .map(DescribeTransactions::quoted).collect(Collectors.joining(","));
                    System.out.printf("{\"id\":%s,\"state\":%s,\"producerId\":%d,\"producerEpoch\":%d,\"timeoutMs\":%d,"
                            + "\"startTimeMs\":%d,\"coordinator\":%d,\"partitions\":[%s]}%n", quoted(id),
                            quoted(told.state().toString()), told.producerId(), told.producerEpoch(),
                            told.transactionTimeoutMs(), told.transactionStartTimeMs().orElse(-1), told.coordinatorId(),
                            partitions);
                } catch (ExecutionException failure) {
                    if (!(failure.getCause() instanceof ApiException cause)) {
                        throw failure;
                    }
                    System.out.printf("{\"id\":%s,\"error\":%d,\"message\":%s}%n", quoted(id),
                            Errors.forException(cause).code(), quoted(String.valueOf(cause.getMessage())));
                }
            }
        }
    }

    private static String quoted(String text) {
        var out = new StringBuilder("\"");
        for (char c : text.toCharArray()) {
            if (c == '"' || c == '\\') {
                out.append('\\').append(c);
            } else if (c < 0x20) {
                out.append(String.format("\\u%04x", (int) c));
            } else {
                out.append(c);
            }
        }
        return out.append('"').toString();
    }
}
