import { expect, it } from "vitest";
import { toHistoryQueries } from "./history-queries";

const user = (content: string) => ({ role: "user", content }) as const;
const assistant = (content: string) => ({ role: "assistant", content }) as const;

it("weighs the last messages by how far back they are, the last first", () => {
	const history = [user("a"), assistant("b"), user("c"), assistant("d"), user("e"), assistant("f")];
	expect(toHistoryQueries(history)).toEqual([
		{ text: "f", weight: 0.8 },
		{ text: "e", weight: 0.8 },
		{ text: "d", weight: 0.4 },
		{ text: "c", weight: 0.4 },
	]);
});

it("has none without history, and the beginning of what is long", () => {
	expect(toHistoryQueries()).toEqual([]);
	expect(toHistoryQueries([user("x".repeat(9_000))])[0]?.text).toHaveLength(400);
});
