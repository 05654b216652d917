package bench;

import java.util.List;

/**
 * A tender from the prepared file. A tender that can match nothing has no texts and no terms.
 *
 * @param terms for each facet the terms, separated by spaces
 * @param currency null if the tender states no value
 * @param days days until closing; null if the tender states no closing
 */
record Tender(String[] texts, List<String> terms, String currency, long value, Long days) {
    static Tender parse(String line) {
        if (line.isEmpty()) {
            return new Tender(new String[0], List.of(), null, 0, null);
        }
        String[] columns = line.split("\t", -1);
        String[] value = columns[6].split(":");
        boolean stated = value.length == 2;
        return new Tender(
            columns[0].split("\\|"),
            List.of(columns).subList(1, 1 + Facets.NAMES.size()),
            stated ? value[0] : null,
            stated ? Long.parseLong(value[1]) : 0,
            columns[7].isEmpty() ? null : Long.valueOf(columns[7]));
    }
}
