package bench;

import java.util.List;

/**
 * A tender as prepared. One that nothing can match has no texts and no status.
 *
 * @param terms by facet, parted by spaces
 * @param currency null where no value is stated
 * @param days days until closing; null where no closing is stated
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
