// SPDX-License-Identifier: Apache-2.0
// What Java's Admin says of transactional ids, one JSON line each; for comparison with the wire client.
//   java -cp "JARS/*" DescribeTransactions.java BOOTSTRAP|CLIENT.PROPERTIES[,CLIENT.PROPERTIES...] ID...
// Given client properties, it asks once with each file, which must name bootstrap.servers, and a line names its file.
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AdminClientConfig;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.errors.ApiException;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.utils.Utils;

public final class DescribeTransactions {
    public static void main(String[] args) throws Exception {
        if (args.length < 2) {
            System.err.println("usage: DescribeTransactions BOOTSTRAP|CLIENT.PROPERTIES[,...] ID...");
            System.exit(2);
        }
        var ids = Arrays.asList(args).subList(1, args.length);
        if (!args[0].contains(".properties")) {
            ask("", Map.of(AdminClientConfig.BOOTSTRAP_SERVERS_CONFIG, args[0]), ids);
            return;
        }
        for (String file : args[0].split(",")) {
            var settings = new HashMap<String, Object>();
            Utils.loadProps(file).forEach((key, value) -> settings.put((String) key, value));
            try {
                ask("\"file\":" + quoted(file) + ",", settings, ids);
            } catch (KafkaException failure) {
                Throwable cause = failure;
                while (cause.getCause() != null) {
                    cause = cause.getCause();
                }
                System.out.printf("{\"file\":%s,\"failure\":%s}%n", quoted(file), quoted(String.valueOf(cause)));
            }
        }
    }

    /** One line for each id, all beginning with prefix. */
    private static void ask(String prefix, Map<String, Object> settings, List<String> ids) throws Exception {
        try (Admin admin = Admin.create(settings)) {
            var result = admin.describeTransactions(ids);
            for (String id : ids) {
                try {
                    var told = result.description(id).get(30, TimeUnit.SECONDS);
                    var partitions = told.topicPartitions().stream().map(Object::toString).sorted()
                            .map(DescribeTransactions::quoted).collect(Collectors.joining(","));
                    System.out.printf("{%s\"id\":%s,\"state\":%s,\"producerId\":%d,\"producerEpoch\":%d,\"timeoutMs\":%d,"
                            + "\"startTimeMs\":%d,\"coordinator\":%d,\"partitions\":[%s]}%n", prefix, quoted(id),
                            quoted(told.state().toString()), told.producerId(), told.producerEpoch(),
                            told.transactionTimeoutMs(), told.transactionStartTimeMs().orElse(-1), told.coordinatorId(),
                            partitions);
                } catch (ExecutionException failure) {
                    if (!(failure.getCause() instanceof ApiException cause)) {
                        throw failure;
                    }
                    System.out.printf("{%s\"id\":%s,\"error\":%d,\"message\":%s}%n", prefix, quoted(id),
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
