// SPDX-License-Identifier: Apache-2.0
// Appends one record of arbitrary bytes to one partition, plainly or in a transaction that ends as asked.
//   java -cp "JARS/*" AppendRecord.java BOOTSTRAP TOPIC PARTITION KEY_HEX VALUE_HEX [plain|commit|abort|open] [ID]
// KEY_HEX and VALUE_HEX: pairs of hex digits, "" for no bytes, "null" for null (a tombstone as value). The transactional
// id is ID, or one made up. "open" leaves the transaction open: it prints the line, then waits until it is killed, or
// until its standard input ends or brings a line, which commits ("commit"), aborts ("abort") or leaves ("leave", end).
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;

public final class AppendRecord {
    public static void main(String[] args) throws Exception {
        String how = args.length > 5 ? args[5] : "plain";
        if (args.length < 5 || args.length > 7 || !how.matches("plain|commit|abort|open")) {
            System.err.println("usage: AppendRecord BOOTSTRAP TOPIC PARTITION KEY_HEX VALUE_HEX"
                    + " [plain|commit|abort|open] [ID]");
            System.exit(2);
        }
        var settings = new HashMap<String, Object>();
        settings.put(ProducerConfig.BOOTSTRAP_SERVERS_CONFIG, args[0]);
        settings.put(ProducerConfig.ACKS_CONFIG, "all");
        settings.put(ProducerConfig.RETRY_BACKOFF_MS_CONFIG, 20L);
        if (!how.equals("plain")) {
            settings.put(ProducerConfig.TRANSACTIONAL_ID_CONFIG,
                    args.length > 6 ? args[6] : "append-" + ProcessHandle.current().pid());
        }
        var producer = new KafkaProducer<>(settings, new ByteArraySerializer(), new ByteArraySerializer());
        if (!how.equals("plain")) {
            producer.initTransactions();
            producer.beginTransaction();
        }
        var record = new ProducerRecord<>(args[1], Integer.parseInt(args[2]), bytes(args[3]), bytes(args[4]));
        long offset = producer.send(record).get(30, TimeUnit.SECONDS).offset();
        if (how.equals("commit")) {
            producer.commitTransaction();
        } else if (how.equals("abort")) {
            producer.abortTransaction();
        }
        System.out.printf("{\"event\":\"appended\",\"partition\":%s,\"offset\":%d,\"how\":\"%s\"}%n", args[2], offset, how);
        System.out.flush();
        if (how.equals("open")) {
            String said = new BufferedReader(new InputStreamReader(System.in)).readLine();
            if ("commit".equals(said)) {
                producer.commitTransaction();
            } else if ("abort".equals(said)) {
                producer.abortTransaction();
            } else {
                Runtime.getRuntime().halt(0); // close() would abort
            }
            System.out.printf("{\"event\":\"%s\"}%n", said);
        }
        producer.close();
    }

    private static byte[] bytes(String hex) {
        return hex.equals("null") ? null : HexFormat.of().parseHex(hex);
    }
}
