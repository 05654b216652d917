package bench;

import java.util.ArrayList;
import java.util.List;

/**
 * An alert from the prepared file. Tabs separate columns, bars separate items, and spaces separate words.
 *
 * @param accepts for each facet the accepted terms, separated by spaces; null accepts any
 */
record Alert(List<Pattern> keywords, List<Pattern> excludes, List<String> accepts, List<Bounds> values, Bounds days) {
    /** An inclusive range of integers. {@code name} is the currency of a value and empty for days. */
    record Bounds(String name, long min, long max) {
        static Bounds parse(String text) {
            String[] parts = text.split(":", -1);
            return new Bounds(parts[0], Long.parseLong(parts[1]), Long.parseLong(parts[2]));
        }
    }

    static Alert parse(String line) {
        String[] columns = line.split("\t", -1);
        List<String> accepts = new ArrayList<>();
        for (int facet = 0; facet < Facets.NAMES.size(); facet++) {
            String column = columns[2 + facet];
            accepts.add(column.equals("*") ? null : column);
        }
        List<Bounds> values = new ArrayList<>();
        for (String value : items(columns[7])) {
            values.add(Bounds.parse(value));
        }
        Bounds days = columns[8].isEmpty() ? null : Bounds.parse(columns[8]);
        return new Alert(patterns(columns[0]), patterns(columns[1]), accepts, values, days);
    }

    private static List<Pattern> patterns(String column) {
        List<Pattern> patterns = new ArrayList<>();
        for (String item : items(column)) {
            patterns.add(Pattern.parse(item));
        }
        return patterns;
    }

    private static String[] items(String column) {
        return column.isEmpty() ? new String[0] : column.split("\\|");
    }
}
