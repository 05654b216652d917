import { expect, it } from "vitest";
import type { Tender } from "@/api/types.ts";
import { t } from "@/i18n/i18n.ts";
import { mailAddress, sharedTender, whatsAppAddress } from "./shareTargets.ts";

const address = "https://tenders.example/tenders/1";
const tender = {
  title: "Tyres & tubes (100 %)",
  organization: { name: "Ports Authority" },
  dates: { closing: "2026-11-26T14:30:00+05:30" },
} as unknown as Tender;

it("shares the title, the organisation, the closing and the address", () => {
  const shared = sharedTender(tender, address, t);
  const message = new URL(whatsAppAddress(shared));
  expect(message.origin).toBe("https://wa.me");
  expect(message.searchParams.get("text")).toBe(
    `Tyres & tubes (100 %)\nPorts Authority\nCloses Thu 26 Nov 2026, 2.30 p.m.\n${address}`,
  );
  const mail = new URL(mailAddress(shared));
  expect(mail.protocol).toBe("mailto:");
  expect(mail.searchParams.get("subject")).toBe("Tyres & tubes (100 %)");
  expect(mail.searchParams.get("body")).toContain(`2.30 p.m.\r\n${address}`);
});

it("leaves out what is unknown", () => {
  const shared = sharedTender({ title: "Tyres" } as Tender, address, t);
  expect(new URL(whatsAppAddress(shared)).searchParams.get("text")).toBe(`Tyres\n${address}`);
});
