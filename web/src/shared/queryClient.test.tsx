import { QueryClientProvider, useQuery } from "@tanstack/react-query";
import { act, render, screen } from "@testing-library/react";
import { expect, test } from "vitest";
import { RefreshingQueryClient } from "./queryClient.ts";

let answers: ((pages: string) => void)[] = [];

function Pages() {
  const list = useQuery({
    queryKey: ["pages"],
    queryFn: () => new Promise<string>((resolve) => answers.push(resolve)),
  });
  return <p>{list.data ?? "loading"}</p>;
}

test("a change while the first request is under way shows the state after the change", async () => {
  answers = [];
  const client = new RefreshingQueryClient();
  render(
    <QueryClientProvider client={client}>
      <Pages />
    </QueryClientProvider>,
  );
  expect(answers).toHaveLength(1);
  let isDone = false;
  await act(async () => {
    void client.invalidateQueries({ queryKey: ["pages"] }).then(() => {
      isDone = true;
    });
  });
  expect(answers).toHaveLength(2);
  await act(async () => answers[0]?.("no page"));
  expect(screen.getByText("loading")).toBeVisible();
  expect(isDone).toBe(false);
  await act(async () => answers[1]?.("one page"));
  expect(await screen.findByText("one page")).toBeVisible();
  expect(isDone).toBe(true);
});

test("an answer that someone awaits is not cancelled", async () => {
  const client = new RefreshingQueryClient();
  let answer: (profile: string) => void = () => {};
  const queryFn = () => new Promise<string>((resolve) => (answer = resolve));
  const profile = client.fetchQuery({ queryKey: ["profile"], queryFn });
  await client.invalidateQueries({ queryKey: ["profile"] });
  answer("profile");
  expect(await profile).toBe("profile");
});
