package bench;

import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * A configuration of the monitor, written as {@code passes=2,weight=rarity,filters=category+place,decompose}.
 *
 * @param passes the number of terms of an alert that the presearcher requires in a tender
 * @param rarity whether the presearcher chooses the rarest words in the tenders; otherwise the longest
 * @param filters facets that the presearcher filters by; the others are clauses of the query
 * @param decompose whether each keyword has a separate entry in the monitor's index
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
                default -> throw new IllegalArgumentException("unknown setting " + sides[0]);
            }
        }
        filters.remove("none");
        if (!Facets.NAMES.containsAll(filters)) {
            throw new IllegalArgumentException("filters must be among " + Facets.NAMES);
        }
        return new Variant(passes, rarity, filters, decompose);
    }
}
