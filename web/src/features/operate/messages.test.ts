import { expect, it } from "vitest";
import { answerAddress } from "./messages.ts";

it("a mail address cannot add recipients or headers to the answer", () => {
  expect(answerAddress("a?bcc=b@c.lk", "Re: Mail", "One\nTwo")).toBe(
    "mailto:a%3Fbcc%3Db@c.lk?subject=Re%3A%20Mail&body=%0D%0A%0D%0A%3E%20One%0D%0A%3E%20Two",
  );
});
