// SPDX-License-Identifier: Apache-2.0
// A member on Java's kafka-clients that does one step for each line of standard input and answers each with one JSON line.
//   java -cp "JARS/*" CommandedMember.java BOOTSTRAP ROLE MEMBER [TRANSACTION_TIMEOUT_MS]
// Commands: register | mint | begin | write | commit | abort | renew N | fence N | describe | close | die
// "mint" makes a new producer; the token of the leases written after it stays, however often the epoch moves.
// "fence N" mints N times through Admin.fenceProducers, without being the holder of what it mints.
import java.io.BufferedReader;
import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.ApiException;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.common.utils.Utils;

public final class CommandedMember {
    private static final String TOPIC = "__coordination_state";
    private static final long LEASE_MS = 30_000;

    private interface Body {
        void write(DataOutputStream out) throws Exception;
    }

    private final Map<String, Object> settings = new HashMap<>();
    private final String role;
    private final String member;
    private final int timeout;
    private final Admin admin;
    private final int partition;
    private KafkaProducer<byte[], byte[]> producer;
    private long[] token;

    private CommandedMember(String bootstrap, String role, String member, int timeout) throws Exception {
        this.role = role;
        this.member = member;
        this.timeout = timeout;
        settings.put("bootstrap.servers", bootstrap);
        settings.put("retry.backoff.ms", 20L);
        admin = Admin.create(settings);
        int partitions = admin.describeTopics(List.of(TOPIC)).allTopicNames().get(30, TimeUnit.SECONDS).get(TOPIC)
                .partitions().size();
        partition = (Utils.murmur2(role.getBytes(StandardCharsets.UTF_8)) & 0x7fffffff) % partitions;
    }

    public static void main(String[] args) throws Exception {
        if (args.length < 3 || args.length > 4) {
            System.err.println("usage: CommandedMember BOOTSTRAP ROLE MEMBER [TRANSACTION_TIMEOUT_MS]");
            System.exit(2);
        }
        var self = new CommandedMember(args[0], args[1], args[2], args.length == 4 ? Integer.parseInt(args[3]) : 60_000);
        var input = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        for (String line = input.readLine(); line != null; line = input.readLine()) {
            String[] words = line.trim().split(" ");
            long now = System.currentTimeMillis();
            String answer;
            try {
                answer = self.step(words[0], words.length > 1 ? Integer.parseInt(words[1]) : 1);
            } catch (Exception failure) {
                answer = ",\"error\":" + code(failure);
                System.err.println("CommandedMember: " + line + ": " + failure);
            }
            System.out.printf("{\"step\":\"%s\",\"orderedAt\":%d,\"doneAt\":%d%s}%n", line.trim(), now,
                    System.currentTimeMillis(), answer);
            System.out.flush();
        }
        Runtime.getRuntime().halt(0); // close() would abort an open transaction
    }

    private String step(String what, int times) throws Exception {
        switch (what) {
            case "register" -> {
                try (var plain = new KafkaProducer<>(settings, new ByteArraySerializer(), new ByteArraySerializer())) {
                    send(plain, 0, member, bytes(out -> {
                        out.writeShort(0);
                        string(out, member);
                        out.writeLong(System.currentTimeMillis());
                    }));
                }
                return "";
            }
            case "mint" -> mint();
            case "begin" -> producer.beginTransaction();
            case "write" -> lease();
            case "commit" -> producer.commitTransaction();
            case "abort" -> producer.abortTransaction();
            case "renew" -> {
                for (int i = 0; i < times; i++) {
                    producer.beginTransaction();
                    lease();
                    producer.commitTransaction();
                }
            }
            case "fence" -> {
                return fence(times);
            }
            case "describe" -> {
                return describe();
            }
            case "close" -> producer.close();
            case "die" -> Runtime.getRuntime().halt(9);
            default -> throw new IllegalArgumentException("no such command");
        }
        return producer == null || token == null ? "" : pairs();
    }

    private void mint() throws Exception {
        var own = new HashMap<>(settings);
        own.put("transactional.id", role);
        own.put("transaction.timeout.ms", timeout);
        own.put("acks", "all");
        producer = new KafkaProducer<>(own, new ByteArraySerializer(), new ByteArraySerializer());
        producer.initTransactions();
        token = pair();
    }

    private void lease() throws Exception {
        long granted = System.currentTimeMillis();
        send(producer, 1, "", bytes(out -> {
            out.writeShort(0);
            string(out, member);
            out.writeLong(token[0]);
            out.writeShort((int) token[1]);
            out.writeLong(granted);
            out.writeLong(granted + LEASE_MS);
        }));
    }

    private void send(KafkaProducer<byte[], byte[]> by, int kind, String of, byte[] value) throws Exception {
        byte[] key = bytes(out -> {
            out.writeShort(0);
            out.writeShort(kind);
            string(out, role);
            string(out, of);
        });
        by.send(new ProducerRecord<>(TOPIC, partition, key, value)).get(30, TimeUnit.SECONDS);
    }

    private String fence(int times) throws Exception {
        long id = -1;
        short epoch = -1;
        for (int i = 0; i < times; i++) {
            var result = admin.fenceProducers(List.of(role));
            id = result.producerId(role).get(30, TimeUnit.SECONDS);
            epoch = result.epochId(role).get(30, TimeUnit.SECONDS);
        }
        return String.format(",\"minted\":\"%d:%d\"", id, epoch);
    }

    private String describe() throws Exception {
        String coordinator;
        try {
            var told = admin.describeTransactions(List.of(role)).description(role).get(30, TimeUnit.SECONDS);
            coordinator = String.format("\"node\":%d,\"state\":\"%s\",\"pair\":\"%d:%d\"", told.coordinatorId(),
                    told.state(), told.producerId(), told.producerEpoch());
        } catch (ExecutionException failure) {
            coordinator = "\"error\":" + code(failure);
        }
        var rows = admin.describeProducers(List.of(new TopicPartition(TOPIC, partition))).all()
                .get(30, TimeUnit.SECONDS).values().iterator().next().activeProducers().stream()
                .map(row -> String.format("{\"pair\":\"%d:%d\",\"lastSequence\":%d,\"lastTimestamp\":%d,\"openSince\":%d}",
                        row.producerId(), row.producerEpoch(), row.lastSequence(), row.lastTimestamp(),
                        row.currentTransactionStartOffset().orElse(-1)))
                .collect(Collectors.joining(","));
        return String.format(",\"coordinator\":{%s},\"partition\":%d,\"producers\":[%s]", coordinator, partition, rows);
    }

    private static int code(Throwable failure) {
        for (Throwable each = failure; each != null; each = each.getCause()) {
            if (each instanceof ApiException) {
                return Errors.forException(each).code();
            }
        }
        return -1;
    }

    private String pairs() throws Exception {
        long[] now = pair();
        return String.format(",\"token\":\"%d:%d\",\"own\":\"%d:%d\"", token[0], token[1], now[0], now[1]);
    }

    // The producer's own view of (producerId, epoch), which no public call returns.
    private long[] pair() throws ReflectiveOperationException {
        var field = KafkaProducer.class.getDeclaredField("transactionManager");
        field.setAccessible(true);
        Object transactions = field.get(producer);
        var method = transactions.getClass().getDeclaredMethod("producerIdAndEpoch");
        method.setAccessible(true);
        Object both = method.invoke(transactions);
        return new long[] {both.getClass().getField("producerId").getLong(both),
                both.getClass().getField("epoch").getShort(both)};
    }

    private static byte[] bytes(Body body) throws Exception {
        var bytes = new ByteArrayOutputStream();
        body.write(new DataOutputStream(bytes));
        return bytes.toByteArray();
    }

    private static void string(DataOutputStream out, String text) throws Exception {
        byte[] utf8 = text.getBytes(StandardCharsets.UTF_8);
        out.writeShort(utf8.length);
        out.write(utf8);
    }
}
