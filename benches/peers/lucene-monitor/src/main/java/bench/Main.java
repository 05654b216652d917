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
 * Measures Lucene Monitor: reads what the Rust side prepared in a directory, registers the alerts, meets them with every
 * tender in rounds, and writes pairs and times back. CPU time is that of the one thread that matches; garbage collection, which
 * other threads do, is not counted.
 */
public final class Main {
    private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();
    private static final int UPDATES = 200;

    private Main() {}

    /** Arguments: directory, variant, rounds, seconds after which no further round begins. */
    public static void main(String[] arguments) throws IOException {
        Path directory = Path.of(arguments[0]);
        Variant variant = Variant.parse(arguments[1]);
        int rounds = Integer.parseInt(arguments[2]);
        long patience = Long.parseLong(arguments[3]);
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
            Engine.Found found = engine.match(tenders.get(number));
            candidates += found.candidates();
            for (int alert : found.alerts()) {
                pairs.append(number).append(' ').append(alert).append('\n');
            }
        }
        Files.writeString(directory.resolve("pairs"), pairs);

        // Two warm-up passes for the JIT, then the measured ones.
        long begin = System.nanoTime();
        for (int pass = 0; pass < 2 && elapsed(begin) < patience; pass++) {
            pass(engine, tenders, null);
        }
        List<String> lines = new ArrayList<>();
        begin = System.nanoTime();
        while (lines.size() < rounds && (lines.isEmpty() || elapsed(begin) < patience)) {
            long whole = pass(engine, tenders, null);
            long[] each = new long[tenders.size()];
            pass(engine, tenders, each);
            StringBuilder line = new StringBuilder().append(whole);
            for (long time : each) {
                line.append(' ').append(time);
            }
            lines.add(line.toString());
        }
        Files.write(directory.resolve("rounds"), lines);

        long update = update(engine, alerts);
        Files.write(directory.resolve("figures"), List.of(
            "register_ns " + register, "update_ns " + update, "added_mb " + added, "candidates " + candidates));
        // A thread of the monitor would keep the process alive.
        engine.close();
    }

    private static long pass(Engine engine, List<Tender> tenders, long[] each) throws IOException {
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

    /** The median time of replacing one alert by another, that one taking part at once. */
    private static long update(Engine engine, List<Alert> alerts) throws IOException {
        int count = Math.min(UPDATES, alerts.size());
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
