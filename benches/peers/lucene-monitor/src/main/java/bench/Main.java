package bench;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Measures Lucene Monitor. Reads the files that the Rust side wrote to a directory, registers the alerts, matches every tender in
 * rounds, and writes pairs and times to the directory. Only the CPU time of the matching thread counts. Garbage collection, which
 * runs in other threads, does not count.
 */
public final class Main {
    private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();
    private static final int MAX_UPDATES = 200;

    private Main() {}

    /** Arguments: directory, variant, rounds, and the seconds after which no further round starts. */
    public static void main(String[] arguments) throws IOException {
        Path directory = Path.of(arguments[0]);
        Variant variant = Variant.parse(arguments[1]);
        int rounds = Integer.parseInt(arguments[2]);
        long timeout = Long.parseLong(arguments[3]);
        List<Alert> alerts = new ArrayList<>();
        try (var lines = Files.lines(directory.resolve("alerts"))) {
            lines.forEach(line -> alerts.add(Alert.parse(line)));
        }
        List<Tender> tenders = new ArrayList<>();
        try (var lines = Files.lines(directory.resolve("tenders"))) {
            lines.forEach(line -> tenders.add(Tender.parse(line)));
        }

        double before = usedMegabytes();
        long start = THREADS.getCurrentThreadCpuTime();
        Engine engine = new Engine(variant, tenders);
        engine.register(alerts);
        long register = THREADS.getCurrentThreadCpuTime() - start;
        double added = usedMegabytes() - before;

        StringBuilder pairs = new StringBuilder();
        long candidates = 0;
        for (int number = 0; number < tenders.size(); number++) {
            Engine.MatchResult found = engine.match(tenders.get(number));
            candidates += found.candidates();
            for (int alert : found.alerts()) {
                pairs.append(number).append(' ').append(alert).append('\n');
            }
        }
        Files.writeString(directory.resolve("pairs"), pairs);

        // Two passes warm up the JIT before the measured ones.
        long begin = System.nanoTime();
        for (int pass = 0; pass < 2 && elapsed(begin) < timeout; pass++) {
            runPass(engine, tenders, null);
        }
        List<String> lines = new ArrayList<>();
        begin = System.nanoTime();
        while (lines.size() < rounds && (lines.isEmpty() || elapsed(begin) < timeout)) {
            long whole = runPass(engine, tenders, null);
            long[] each = new long[tenders.size()];
            runPass(engine, tenders, each);
            StringBuilder line = new StringBuilder().append(whole);
            for (long time : each) {
                line.append(' ').append(time);
            }
            lines.add(line.toString());
        }
        Files.write(directory.resolve("rounds"), lines);

        long update = measureUpdate(engine, alerts);
        Files.write(directory.resolve("figures"), List.of(
            "register_ns " + register, "update_ns " + update, "added_mb " + added, "candidates " + candidates));
        // A thread of the monitor would keep the process alive.
        engine.close();
    }

    private static long runPass(Engine engine, List<Tender> tenders, long[] each) throws IOException {
        long start = THREADS.getCurrentThreadCpuTime();
        for (int number = 0; number < tenders.size(); number++) {
            long one = each == null ? 0 : THREADS.getCurrentThreadCpuTime();
            engine.match(tenders.get(number));
            if (each != null) {
                each[number] = THREADS.getCurrentThreadCpuTime() - one;
            }
        }
        return THREADS.getCurrentThreadCpuTime() - start;
    }

    /** Returns the median time for replacing an alert. Each replacement takes effect at once. */
    private static long measureUpdate(Engine engine, List<Alert> alerts) throws IOException {
        int count = Math.min(MAX_UPDATES, alerts.size());
        long[] times = new long[count];
        for (int index = 0; index < count; index++) {
            Alert other = alerts.get((index + alerts.size() / 2) % alerts.size());
            long start = THREADS.getCurrentThreadCpuTime();
            engine.replace(index, other);
            times[index] = THREADS.getCurrentThreadCpuTime() - start;
        }
        Arrays.sort(times);
        return times[count / 2];
    }

    private static long elapsed(long begin) {
        return (System.nanoTime() - begin) / 1_000_000_000L;
    }

    private static double usedMegabytes() {
        for (int turn = 0; turn < 3; turn++) {
            System.gc();
        }
        Runtime runtime = Runtime.getRuntime();
        return (runtime.totalMemory() - runtime.freeMemory()) / 1e6;
    }
}
