import { screen } from "@testing-library/react";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { session } from "@/api/client.ts";
import { keepIntendedPath } from "@/shared/session/intendedPath.ts";
import { renderAt, tokenUntil } from "@/testing/render.tsx";
import { Component as SuccessPage } from "./CheckoutSuccessPage.tsx";

const json = (body: object, status = 200) =>
  new Response(JSON.stringify(body), { status, headers: { "content-type": "application/json" } });

/**
 * Mocks the server. Requests about a checkout get these responses in turn; the last is repeated.
 * Returns the paths of these requests.
 */
function mockCheckoutResponses(...answers: (() => Response)[]): string[] {
  const requests: string[] = [];
  vi.spyOn(globalThis, "fetch").mockImplementation(async (input) => {
    const { pathname } = new URL((input as Request).url);
    if (pathname.endsWith("/user/current")) {
      const day = "2026-12-25T00:00:00+05:30";
      const price = { price: 5000, currency: "LKR", billingCycle: "monthly" };
      const subscription = { plan: "professional", endDate: day, nextBillingDate: day, ...price };
      return json({ success: true, data: { subscription } });
    }
    if (pathname.endsWith("/subscriptions/plans")) {
      const plans = [{ name: "professional", features: { emailAlerts: true } }];
      return json({ success: true, data: { plans } });
    }
    if (!pathname.includes("/verify-session/")) return json({ success: false, message: "x" }, 404);
    requests.push(pathname);
    return (answers[requests.length - 1] ?? answers.at(-1))?.() ?? json({}, 500);
  });
  return requests;
}

const unpaid = () => json({ success: false, message: "Your payment has not been confirmed yet", data: {} });
const paid = () => json({ success: true, message: "Your subscription is active", data: {} });

beforeEach(() => {
  session.open(tokenUntil(4_000_000_000), "r", true);
  vi.useFakeTimers({ shouldAdvanceTime: true });
});

afterEach(() => {
  window.localStorage.clear();
  vi.useRealTimers();
  session.clear();
});

it("reports a missing session id without a request", async () => {
  const requests = mockCheckoutResponses(paid);
  renderAt(<SuccessPage />, { at: "/subscription/success" });
  expect(await screen.findByRole("heading", { name: "Subscription Error" })).toBeVisible();
  expect(screen.getByRole("alert")).toHaveTextContent("No session ID provided");
  expect(requests).toEqual([]);
});

it("polls until the payment is confirmed", async () => {
  const requests = mockCheckoutResponses(unpaid, unpaid, paid);
  renderAt(<SuccessPage />, { at: "/subscription/success?session_id=cs_1" });
  expect(screen.getByRole("heading", { name: "Processing" })).toBeVisible();
  await vi.advanceTimersByTimeAsync(5000);
  expect(await screen.findByRole("heading", { name: "Subscription Confirmed!" })).toBeVisible();
  expect(
    await screen.findByText(
      "Professional is active until Fri 25 Dec 2026. Your invoice is in Account. It renews at LKR 5,000 a month, first on Fri 25 Dec 2026.",
    ),
  ).toBeVisible();
  expect(document.title).toBe("Subscription Confirmed! · Serendib Tenders");
  expect(screen.getByRole("link", { name: "Browse tenders" })).toHaveAttribute("href", "/tenders");
  expect(screen.getByRole("link", { name: "Go to your account" })).toHaveAttribute("href", "/account");
  expect(requests).toHaveLength(3);
  await vi.advanceTimersByTimeAsync(60_000);
  expect(requests).toHaveLength(3);
});

it.each([
  [null, "Set up your first alert", "/welcome"],
  ["/alert-settings?search=road&new=1", "Open your alert", "/alert-settings?search=road&new=1"],
  ["/tenders/1", "Continue where you were", "/tenders/1"],
])("leads from the payment to what the user came for: %j", async (path, label, target) => {
  mockCheckoutResponses(paid);
  if (path) keepIntendedPath(path, Date.parse("2026-11-21T09:00:00+05:30"));
  renderAt(<SuccessPage />, { at: "/subscription/success?session_id=cs_1" });
  expect(await screen.findByRole("link", { name: label })).toHaveAttribute("href", target);
});

it("stops polling after ten responses and shows the server's message", async () => {
  const requests = mockCheckoutResponses(unpaid);
  renderAt(<SuccessPage />, { at: "/subscription/success?session_id=cs_1" });
  await vi.advanceTimersByTimeAsync(60_000);
  expect(await screen.findByRole("alert")).toHaveTextContent("Your payment has not been confirmed yet");
  expect(screen.getByRole("link", { name: "Try Again" })).toHaveAttribute("href", "/pricing");
  expect(requests).toHaveLength(10);
});

it("shows an error after one request if there is no such checkout", async () => {
  const requests = mockCheckoutResponses(() => json({ success: false, message: "Checkout not found" }, 404));
  renderAt(<SuccessPage />, { at: "/subscription/success?session_id=cs_1" });
  expect(await screen.findByRole("alert")).toHaveTextContent(
    "An error occurred while verifying your subscription.",
  );
  expect(requests).toHaveLength(1);
});

it("offers a guest a sign-in that returns to this page, without a request", async () => {
  session.clear();
  const requests = mockCheckoutResponses(paid);
  window.history.replaceState(null, "", "/subscription/success?session_id=cs_1");
  renderAt(<SuccessPage />, { at: "/subscription/success?session_id=cs_1" });
  expect(screen.getByRole("link", { name: "Sign in" })).toHaveAttribute(
    "href",
    "/login?redirect=%2Fsubscription%2Fsuccess%3Fsession_id%3Dcs_1",
  );
  expect(requests).toEqual([]);
});
