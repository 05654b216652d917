package bench;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The prefixes, suffixes and infixes in the keywords of alerts. A word of a tender gets only these as extra tokens. They are found
 * in tries and cached by word. Indexing all edge n-grams would cost several times as much.
 */
final class Grams {
    /** A node of a trie. {@code whole}: a gram ends here. */
    private static final class Node {
        private final Map<Character, Node> next = new HashMap<>(2);
        private boolean whole;
    }

    private static final String[] NONE = new String[0];
    private final Node prefixes = new Node();
    private final Node suffixes = new Node();
    private final Node infixes = new Node();
    private final Map<String, String[]> known = new HashMap<>();

    /** Adds a token of a pattern if it is a gram. */
    void add(String token) {
        Node node = switch (token.charAt(0)) {
            case Pattern.PREFIX -> prefixes;
            case Pattern.SUFFIX -> suffixes;
            case Pattern.INFIX -> infixes;
            default -> null;
        };
        if (node == null) {
            return;
        }
        boolean backwards = node == suffixes;
        for (int index = 1; index < token.length(); index++) {
            char letter = token.charAt(backwards ? token.length() - index : index);
            node = node.next.computeIfAbsent(letter, missing -> new Node());
        }
        if (!node.whole) {
            node.whole = true;
            known.clear();
        }
    }

    /** Returns the known grams that a word contains. */
    String[] find(String word) {
        return known.computeIfAbsent(word, this::search);
    }

    private String[] search(String word) {
        List<String> found = new ArrayList<>();
        Node node = prefixes;
        for (int end = 0; end < word.length() && (node = node.next.get(word.charAt(end))) != null; end++) {
            if (node.whole) {
                found.add(Pattern.PREFIX + word.substring(0, end + 1));
            }
        }
        node = suffixes;
        for (int start = word.length() - 1; start >= 0 && (node = node.next.get(word.charAt(start))) != null; start--) {
            if (node.whole) {
                found.add(Pattern.SUFFIX + word.substring(start));
            }
        }
        for (int start = 0; start < word.length(); start++) {
            node = infixes;
            for (int end = start; end < word.length() && (node = node.next.get(word.charAt(end))) != null; end++) {
                String gram = Pattern.INFIX + word.substring(start, end + 1);
                if (node.whole && !found.contains(gram)) {
                    found.add(gram);
                }
            }
        }
        return found.isEmpty() ? NONE : found.toArray(NONE);
    }
}
