// SPDX-License-Identifier: Apache-2.0
// Tells of each partition of a topic which node leads it:
//   java -cp "JARS/*" TopicLeaders.java BOOTSTRAP TOPIC
//   {"partition":0,"leader":2}
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.admin.Admin;

public final class TopicLeaders {
    public static void main(String[] args) throws Exception {
        if (args.length != 2) {
            System.err.println("usage: TopicLeaders BOOTSTRAP TOPIC");
            System.exit(2);
        }
        try (Admin admin = Admin.create(Map.of("bootstrap.servers", args[0]))) {
            var topic = admin.describeTopics(List.of(args[1])).allTopicNames().get(60, TimeUnit.SECONDS).get(args[1]);
            for (var each : topic.partitions()) {
                System.out.printf("{\"partition\":%d,\"leader\":%d}%n", each.partition(),
                        each.leader() == null ? -1 : each.leader().id());
            }
        }
    }
}
