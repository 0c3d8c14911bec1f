import { expect, it } from "vitest";
import { completed, started } from "../test-support/run-events";
import { createMessage, createTestAgent } from "../test-support/test-agent";

/** An agent with tasks of these texts, the last one newest. */
async function createAgent(texts: readonly string[]) {
	const { call } = createTestAgent({ script: [started, completed("Done.")] });
	for (const text of texts) await call("SendMessage", { message: createMessage(text) });
	return {
		/** The first letters of all pages, from the first on. */
		async readPages(more: object = {}): Promise<string[]> {
			const pages: string[] = [];
			let pageToken = "";
			do {
				const { result } = await call("ListTasks", { pageToken, ...more });
				expect(result.totalSize).toBe(texts.length);
				const tasks: { history: { parts: { text: string }[] }[] }[] = result.tasks;
				pages.push(tasks.map(({ history }) => history[0]?.parts[0]?.text[0]).join(""));
				pageToken = result.nextPageToken;
			} while (pageToken !== "");
			return pages;
		},
	};
}

const long = (letter: string): string => letter.repeat(1_500_000);

it("ends a page early where its tasks are long, and leaves none out", async () => {
	const { readPages } = await createAgent([long("a"), long("b"), long("c"), "d", long("e"), long("f")]);
	expect(await readPages()).toEqual(["fed", "cb", "a"]);
	expect(await readPages({ pageSize: 1 })).toEqual(["f", "e", "d", "c", "b", "a"]);
});

it("fills a page of short tasks, however many", async () => {
	const letters = [..."abcdefghijklmnopqrstuvwxyz".repeat(2)];
	const all = [...letters].reverse().join("");
	const { readPages } = await createAgent(letters);
	expect(await readPages({ pageSize: 100 })).toEqual([all]);
	expect(await readPages()).toEqual([all.slice(0, 50), all.slice(50)]);
	expect(await readPages({ pageSize: 45 })).toEqual([all.slice(0, 45), all.slice(45)]);
});
