import { describe, expect, it } from "vitest";
import { ApiError, messageOf, toApiError } from "./error.ts";

describe("toApiError", () => {
  it("copies the fields of the envelope, without malformed field errors", () => {
    const error = toApiError(
      {
        success: false,
        message: "No",
        code: "plan",
        errors: [{ field: "email", message: "Taken" }, { field: 3 }, null],
        requestId: "r1",
      },
      422,
    );
    expect(error).toMatchObject({
      message: "No",
      status: 422,
      code: "plan",
      errors: [{ field: "email", message: "Taken" }],
      requestId: "r1",
      isRefusal: true,
    });
  });

  it.each([undefined, null, "<html>", [], { message: "" }, { message: 7, errors: "x" }])(
    "uses the status as the message for the body %j",
    (body) => {
      const error = toApiError(body, 503);
      expect(error.message).toBe("HTTP error! status: 503");
      expect(error.isRefusal).toBe(false);
      expect(error.errors).toEqual([]);
    },
  );
});

describe("messageOf", () => {
  it("returns the server's message", () => {
    expect(messageOf(new ApiError("Taken", 409), "fallback")).toBe("Taken");
  });

  it("tells a long wait in minutes, and leaves a short one to the server", () => {
    const throttled = (header: string | null) =>
      messageOf(toApiError({ message: "Try again in 60 seconds." }, 429, header), "fallback");
    expect(throttled("952")).toBe("Too many requests. Please try again in 16 minutes.");
    expect(throttled("90")).toBe("Try again in 60 seconds.");
    expect(throttled("Wed, 21 Oct 2026 07:28:00 GMT")).toBe("Try again in 60 seconds.");
    expect(throttled(null)).toBe("Try again in 60 seconds.");
  });

  it("returns the fallback without a message or a response", () => {
    expect(messageOf(toApiError(null, 500), "fallback")).toBe("fallback");
    expect(messageOf(new TypeError("Failed to fetch"), "fallback")).toBe("fallback");
  });
});
