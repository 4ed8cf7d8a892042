// SPDX-License-Identifier: Apache-2.0
// A member written against Java's kafka-clients: registers, mints, and writes lease records under the minted token.
// On transaction.version 2 with 4.x jars its own commits advance the coordinator's epoch while the lease keeps the token.
// Prints a JSON line for each step; ends with code 3 when it is fenced.
//   java -cp "JARS/*" JavaMember.java BOOTSTRAP ROLE MEMBER [options]
import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.errors.InvalidProducerEpochException;
import org.apache.kafka.common.errors.ProducerFencedException;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.common.utils.Utils;

public final class JavaMember {
    private static final String USAGE = """
            usage: JavaMember BOOTSTRAP ROLE MEMBER [options]
              --topic NAME       coordination topic (__coordination_state)
              --renewals N       renewals after the first lease; -1: until killed or fenced (0)
              --interval MS      between two lease records (10000)
              --duration MS      grantedAt to deadline (30000)
              --timeout MS       transaction.timeout.ms (60000)
              --clock-offset MS  added to this member's clock (0)
              --no-register      do not register first
              --mint-only        mint, write no lease, then as --stay
              --hold-open        leave the last lease's transaction open, then as --stay
              --abort-last       abort the last lease's transaction
              --resign           clear the lease at the end
              --stay             at the end wait until killed or until standard input ends""";

    private final String role;
    private final String member;
    private final HashMap<String, String> options = new HashMap<>();
    private long clockOffset;
    private KafkaProducer<byte[], byte[]> producer;
    private int partition;

    private JavaMember(String role, String member) {
        this.role = role;
        this.member = member;
    }

    public static void main(String[] args) throws Exception {
        if (args.length < 3) {
            System.err.println(USAGE);
            System.exit(2);
        }
        var self = new JavaMember(args[1], args[2]);
        for (int i = 3; i < args.length; i++) {
            if (args[i].matches("--(no-register|mint-only|hold-open|abort-last|resign|stay)")) {
                self.options.put(args[i], "");
            } else if (args[i].matches("--(topic|renewals|interval|duration|timeout|clock-offset)") && i + 1 < args.length) {
                self.options.put(args[i], args[++i]);
            } else {
                System.err.println("unknown or incomplete option " + args[i] + "\n" + USAGE);
                System.exit(2);
            }
        }
        int code = 0;
        try {
            self.run(args[0]);
        } catch (Exception failure) {
            code = self.report(failure);
        }
        System.out.flush();
        Runtime.getRuntime().halt(code); // close() would abort an open transaction
    }

    private void run(String bootstrap) throws Exception {
        String topic = options.getOrDefault("--topic", "__coordination_state");
        clockOffset = number("--clock-offset", 0);
        var settings = new HashMap<String, Object>();
        settings.put(ProducerConfig.BOOTSTRAP_SERVERS_CONFIG, bootstrap);
        settings.put(ProducerConfig.ACKS_CONFIG, "all");
        settings.put(ProducerConfig.RETRY_BACKOFF_MS_CONFIG, 20L);
        if (!options.containsKey("--no-register")) {
            try (var plain = new KafkaProducer<>(settings, new ByteArraySerializer(), new ByteArraySerializer())) {
                place(plain.partitionsFor(topic).size());
                long offset = plain.send(new ProducerRecord<>(topic, partition, key(0, member), registration()))
                        .get(30, TimeUnit.SECONDS).offset();
                say("\"event\":\"registered\",\"partition\":%d,\"offset\":%d", partition, offset);
            }
        }
        settings.put(ProducerConfig.TRANSACTIONAL_ID_CONFIG, role);
        settings.put(ProducerConfig.TRANSACTION_TIMEOUT_CONFIG, (int) number("--timeout", 60000));
        producer = new KafkaProducer<>(settings, new ByteArraySerializer(), new ByteArraySerializer());
        place(producer.partitionsFor(topic).size());
        producer.initTransactions();
        long[] token = pair();
        say("\"event\":\"minted\",\"producerId\":%d,\"producerEpoch\":%d", token[0], token[1]);
        long renewals = number("--renewals", 0);
        boolean holdOpen = options.containsKey("--hold-open");
        if (!options.containsKey("--mint-only")) {
            for (long i = 0; renewals < 0 || i <= renewals; i++) {
                if (i > 0) {
                    Thread.sleep(number("--interval", 10000));
                }
                boolean last = i == renewals;
                String end = last && holdOpen ? "open" : last && options.containsKey("--abort-last") ? "abort" : "commit";
                lease(topic, token, end);
            }
        }
        if (options.containsKey("--resign") && !holdOpen) {
            write(topic, null, "commit");
            say("\"event\":\"resigned\"");
        }
        if (holdOpen || options.containsKey("--stay") || options.containsKey("--mint-only")) {
            while (System.in.read() >= 0) {
                // Only its end matters.
            }
        }
    }

    private void lease(String topic, long[] token, String end) throws Exception {
        long granted = System.currentTimeMillis() + clockOffset;
        long deadline = granted + number("--duration", 30000);
        var bytes = new ByteArrayOutputStream();
        var out = new DataOutputStream(bytes);
        out.writeShort(0);
        string(out, member);
        out.writeLong(token[0]);
        out.writeShort((int) token[1]);
        out.writeLong(granted);
        out.writeLong(deadline);
        long offset = write(topic, bytes.toByteArray(), end);
        long[] now = pair();
        say("\"event\":\"lease\",\"end\":\"%s\",\"offset\":%d,\"grantedAt\":%d,\"deadline\":%d,\"token\":\"%d:%d\","
                + "\"coordinator\":\"%d:%d\"", end, offset, granted, deadline, token[0], token[1], now[0], now[1]);
    }

    private long write(String topic, byte[] value, String end) throws Exception {
        producer.beginTransaction();
        long offset = producer.send(new ProducerRecord<>(topic, partition, key(1, ""), value))
                .get(30, TimeUnit.SECONDS).offset();
        if (end.equals("commit")) {
            producer.commitTransaction();
        } else if (end.equals("abort")) {
            producer.abortTransaction();
        }
        return offset;
    }

    private int report(Exception failure) {
        Throwable cause = failure instanceof ExecutionException ? failure.getCause() : failure;
        for (Throwable each = cause; each != null; each = each.getCause()) {
            if (each instanceof ProducerFencedException || each instanceof InvalidProducerEpochException) {
                say("\"event\":\"fenced\",\"by\":\"%s\"", each.getClass().getSimpleName());
                return 3;
            }
        }
        System.err.println("JavaMember: " + cause);
        return 1;
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

    private void place(int partitions) {
        partition = (Utils.murmur2(role.getBytes(StandardCharsets.UTF_8)) & 0x7fffffff) % partitions;
    }

    private byte[] key(int kind, String of) throws IOException {
        var bytes = new ByteArrayOutputStream();
        var out = new DataOutputStream(bytes);
        out.writeShort(0);
        out.writeShort(kind);
        string(out, role);
        string(out, of);
        return bytes.toByteArray();
    }

    private byte[] registration() throws IOException {
        var bytes = new ByteArrayOutputStream();
        var out = new DataOutputStream(bytes);
        out.writeShort(0);
        string(out, member);
        out.writeLong(System.currentTimeMillis() + clockOffset);
        return bytes.toByteArray();
    }

    private static void string(DataOutputStream out, String text) throws IOException {
        byte[] utf8 = text.getBytes(StandardCharsets.UTF_8);
        out.writeShort(utf8.length);
        out.write(utf8);
    }

    private long number(String option, long otherwise) {
        return Long.parseLong(options.getOrDefault(option, Long.toString(otherwise)));
    }

    private static void say(String form, Object... values) {
        System.out.println("{" + String.format(form, values) + "}");
        System.out.flush();
    }
}
