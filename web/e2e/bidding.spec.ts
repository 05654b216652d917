// "May I bid?": the company profile, and what a tender's page says about it.

import { expect, expectNoViolationsInBothThemes, registerSupplier, test } from "./fixtures.ts";

const TENDER = "Refurbishment of Akuressa Harbour Access Road";

test("a company that enters its grades is told whether it can bid", async ({ page, request }) => {
  const found = await request.get(`/api/tenders?search=${encodeURIComponent(`"${TENDER}"`)}`);
  const [tender] = (await found.json()).data.tenders as { _id: string }[];
  const address = `/tenders/${tender?._id}`;

  // A guest reads what is asked for, with the printed words.
  await page.goto(address);
  const bidding = page.getByRole("region", { name: "May I bid?" });
  await expect(bidding).toContainText("CIDA grade C7 or above");
  await expect(bidding).toContainText("As printed: “C7 and above”");
  await expect(bidding).toContainText("Document fee");
  await expect(bidding).toContainText("LKR 2,500");
  await expect(bidding.getByRole("link", { name: "Sign in" })).toBeVisible();
  await expectNoViolationsInBothThemes(page);

  await registerSupplier(page);
  await page.goto(address);
  await bidding.getByRole("link", { name: "Company profile" }).click();
  await expect(page.getByRole("heading", { level: 1, name: "Company" })).toBeVisible();
  const registrations = page.getByRole("region", { name: "CIDA registrations" });
  const save = page.getByRole("button", { name: "Save", exact: true });
  await registrations.getByRole("button", { name: "Add a CIDA registration" }).click();
  await registrations.getByLabel("Grade").selectOption("C8");
  await page.getByLabel("Years of experience").fill("twelve");
  await save.click();
  await expect(page.getByText("Please enter a number")).toBeVisible();
  await page.getByLabel("Years of experience").fill("12");
  await save.click();
  await expect(registrations.getByText("Please fill in all required fields")).toBeVisible();
  await expectNoViolationsInBothThemes(page);
  await registrations.getByLabel("Field of work").fill("Highway construction");
  await page.getByLabel("Matara").check();
  await save.click();
  await expect(page.getByText("Your company profile is saved")).toBeVisible();
  await expect(page.getByText(/^Last changed by Sunil Fernando/)).toBeVisible();

  await page.goto(address);
  await expect(bidding).toContainText("Missing: CIDA C7");
  await expect(bidding).toContainText("Your company profile has less.");
  await expect(bidding).toContainText("Your company: C8, Highway construction");
  await expectNoViolationsInBothThemes(page);

  // A section that is filled in is a line.
  await page.goto("/account/company");
  await expect(registrations.getByText("C8 Highway construction")).toBeVisible();
  await registrations.getByRole("button", { name: "CIDA registrations" }).click();
  await registrations.getByLabel("Grade").selectOption("C5");
  await page.getByRole("button", { name: "Experience and capacity" }).click();
  await page.getByLabel("Largest bid security from your bank, in rupees").fill("2,500,000");
  await save.click();
  await expect(page.getByText(/^Last changed by Sunil Fernando/)).toBeVisible();
  await page.goto(address);
  // The bid security is a percentage of the price, which the bidder chooses.
  await expect(bidding).toContainText("You can bid");
  await expect(bidding.getByRole("listitem").filter({ hasText: "You have it: CIDA grade C7" })).toBeVisible();
  await expect(bidding).toContainText(
    "Your bank's limit of LKR 2,500,000 covers bids up to LKR 125,000,000.",
  );
});
