package bench;

import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * One way of tuning the monitor, written as {@code passes=2,weight=rarity,filters=category+place,decompose}.
 *
 * @param passes terms of an alert by which the presearcher wants it to be found
 * @param rarity whether the presearcher picks the words that are rarest in the tenders; else the longest
 * @param filters facets that the presearcher filters by; the others are clauses of the query
 * @param decompose whether each keyword becomes an entry of its own in the monitor's index
 */
record Variant(int passes, boolean rarity, Set<String> filters, boolean decompose) {
    static Variant parse(String text) {
        int passes = 1;
        boolean rarity = false;
        boolean decompose = false;
        Set<String> filters = new LinkedHashSet<>();
        for (String setting : text.split(",")) {
            String[] sides = setting.split("=", 2);
            switch (sides[0]) {
                case "passes" -> passes = Integer.parseInt(sides[1]);
                case "weight" -> rarity = sides[1].equals("rarity");
                case "filters" -> filters.addAll(sides[1].equals("all") ? Facets.NAMES : List.of(sides[1].split("\\+")));
                case "decompose" -> decompose = true;
                default -> throw new IllegalArgumentException("no setting is called " + sides[0]);
            }
        }
        filters.remove("none");
        if (!Facets.NAMES.containsAll(filters)) {
            throw new IllegalArgumentException("filters are among " + Facets.NAMES);
        }
        return new Variant(passes, rarity, filters, decompose);
    }
}
