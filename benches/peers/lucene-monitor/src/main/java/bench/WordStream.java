package bench;

import java.io.IOException;
import org.apache.lucene.analysis.TokenStream;
import org.apache.lucene.analysis.tokenattributes.CharTermAttribute;
import org.apache.lucene.analysis.tokenattributes.PositionIncrementAttribute;

/** The words of normalised texts. The grams of a word follow at its position. There is a gap between texts. */
final class WordStream extends TokenStream {
    private static final int GAP = 100;
    private final CharTermAttribute term = addAttribute(CharTermAttribute.class);
    private final PositionIncrementAttribute position = addAttribute(PositionIncrementAttribute.class);
    private final Grams grams;
    private String[] texts;
    private String[] pending;
    private int text;
    private int start;
    private int gram;

    WordStream(Grams grams) {
        this.grams = grams;
    }

    WordStream over(String[] words) {
        texts = words;
        return this;
    }

    @Override
    public void reset() throws IOException {
        super.reset();
        text = 0;
        start = 0;
        gram = 0;
        pending = new String[0];
    }

    @Override
    public boolean incrementToken() {
        clearAttributes();
        if (gram < pending.length) {
            term.append(pending[gram++]);
            position.setPositionIncrement(0);
            return true;
        }
        int increment = 1;
        while (text < texts.length && start >= texts[text].length()) {
            text++;
            start = 0;
            increment = GAP;
        }
        if (text == texts.length) {
            return false;
        }
        int end = texts[text].indexOf(' ', start);
        end = end < 0 ? texts[text].length() : end;
        String word = texts[text].substring(start, end);
        start = end + 1;
        term.append(word);
        position.setPositionIncrement(increment);
        pending = grams.find(word);
        gram = 0;
        return true;
    }
}
