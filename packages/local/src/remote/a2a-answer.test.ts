import type { A2aPart, A2aStreamResponse } from "@stemma/client/a2a";
import { artifact, status, submitted } from "@stemma/simulators/rpc";
import { describe, expect, it } from "vitest";
import { applyEvent, createAnswer, toOutput } from "./a2a-answer";
import { createAnswerText } from "./answer-text";

/** What a listener hears, and what comes of it in the end. */
function collectText(events: readonly object[]) {
	const received: string[] = [];
	const answer = createAnswer();
	const text = createAnswerText(answer, {
		onText: (nextText) => received.push(nextText),
		onReset: () => received.push("reset"),
	});
	for (const event of events as readonly A2aStreamResponse[]) text.update(applyEvent(answer, event));
	text.end();
	return { received, output: toOutput(answer) };
}

const message = (...parts: readonly A2aPart[]): object => ({
	message: { messageId: "m1", role: "ROLE_AGENT", parts },
});

const task = (artifacts: readonly object[], rest: object = {}): object => ({
	task: { id: "t1", contextId: "c1", status: { state: "TASK_STATE_WORKING" }, artifacts, ...rest },
});

describe("an answer", () => {
	it.each([
		[
			"a message",
			[message({ text: "Yes. " }, { text: "Of course." })],
			["Yes. Of course."],
			"Yes. Of course.",
		],
		[
			"text as it comes",
			[submitted, artifact("a", [{ text: "Five " }]), artifact("a", [{ text: "days." }], true)],
			["Five ", "days."],
			"Five days.",
		],
		[
			"several artifacts",
			[
				artifact("a", [{ text: "One." }]),
				artifact("b", [{ text: "Tw" }]),
				artifact("b", [{ text: "o." }], true),
			],
			["One.", "\n\nTw", "o."],
			"One.\n\nTwo.",
		],
		[
			"artifacts that grow at once",
			[artifact("a", [{ text: "1" }]), artifact("b", [{ text: "2" }]), artifact("a", [{ text: "1" }], true)],
			["1", "\n\n2", "reset", "11\n\n2"],
			"11\n\n2",
		],
		[
			"another one in its place",
			[artifact("a", [{ text: "Four." }]), artifact("a", [{ text: "Five." }])],
			["Four.", "reset", "Five."],
			"Five.",
		],
		[
			"more in its place",
			[artifact("a", [{ text: "Five" }]), artifact("a", [{ text: "Five days." }])],
			["Five", " days."],
			"Five days.",
		],
		["more of what is not known", [artifact("a", [{ text: "Five." }], true)], ["Five."], "Five."],
		["data", [artifact("a", [{ data: { n: 1 } }])], [], { n: 1 }],
		["data that is nothing", [artifact("a", [{ data: null }])], [], null],
		[
			"data after text",
			[
				artifact("a", [{ text: "See:" }]),
				artifact("a", [{ data: 1 }], true),
				artifact("a", [{ text: "." }], true),
			],
			["See:", "reset"],
			["See:", 1, "."],
		],
		["data of two artifacts", [artifact("a", [{ data: 1 }]), artifact("b", [{ data: 2 }])], [], [1, 2]],
		[
			"files",
			[artifact("a", [{ text: "It is here: " }, { url: "https://x/a.pdf" }])],
			["It is here: [file: https://x/a.pdf]"],
			"It is here: [file: https://x/a.pdf]",
		],
		["a file without a name", [artifact("a", [{ raw: "aaaa" }])], ["[file]"], "[file]"],
		[
			"its last words",
			[submitted, status("WORKING", "Looking."), status("COMPLETED", "Five.")],
			["Five."],
			"Five.",
		],
		[
			"artifacts, not last words",
			[artifact("a", [{ text: "Five." }]), status("COMPLETED", "Done.")],
			["Five."],
			"Five.",
		],
		["nothing", [submitted, status("COMPLETED")], [], ""],
		[
			"the task after a drop",
			[
				artifact("a", [{ text: "Fi" }]),
				task([{ artifactId: "a", parts: [{ text: "Five" }, { text: " days." }] }]),
			],
			["Fi", "ve days."],
			"Five days.",
		],
		[
			"the task without what it has taken back",
			[
				artifact("a", [{ text: "Four." }]),
				artifact("b", [{ text: "Five." }]),
				task([{ artifactId: "b", parts: [{ text: "Five." }] }]),
			],
			["Four.", "\n\nFive.", "reset", "Five."],
			"Five.",
		],
		[
			"text beside data",
			[artifact("a", [{ data: 1 }]), artifact("b", [{ text: "Fi" }]), artifact("b", [{ text: "ve." }], true)],
			[],
			[1, "Five."],
		],
		["a task without what it made", [artifact("a", [{ text: "Five." }]), task([])], ["Five."], "Five."],
		[
			"the end of the conversation",
			[
				task([], {
					status: { state: "TASK_STATE_COMPLETED" },
					history: [
						{ messageId: "1", role: "ROLE_AGENT", parts: [{ text: "Hm." }] },
						{ messageId: "2", role: "ROLE_AGENT", parts: [{ text: "Five." }] },
						{ messageId: "3", role: "ROLE_USER", parts: [{ text: "Thanks." }] },
					],
				}),
			],
			["Five."],
			"Five.",
		],
		["kinds that only newer agents know", [{ mood: { is: "good" } }], [], ""],
	])("may be %s", (_, events, received, output) => expect(collectText(events)).toEqual({ received, output }));

	it("has an end, however small its pieces", () => {
		const answer = createAnswer();
		const nextText = artifact("a", [{ text: "" }, { text: "x".repeat(99_998) }]) as A2aStreamResponse;
		for (let count = 0; count < 40; count++) applyEvent(answer, nextText);
		expect(() => applyEvent(answer, nextText)).toThrow("more than 4,000,000 characters came");
	});

	it.each([
		[
			"artifacts that each begin anew",
			(count: number) => Array.from({ length: count }, (_, id) => artifact(`a${id}`, [{ text: "x" }])),
		],
		[
			"more to the first of two artifacts",
			(count: number) => [
				artifact("a", [{ text: "x".repeat(500_000) }]),
				artifact("b", [{ text: "y" }]),
				...Array.from({ length: count }, () => artifact("a", [{ text: "x" }], true)),
			],
		],
		[
			"more to the last of many artifacts",
			(count: number) => [
				task(Array.from({ length: count }, (_, id) => ({ artifactId: `a${id}`, parts: [{ text: "x" }] }))),
				...Array.from({ length: count }, () => artifact(`a${count - 1}`, [{ text: "x" }], true)),
			],
		],
	])("of %s takes time in proportion", (_, toEvents) => {
		const startedAt = process.threadCpuUsage();
		const { received, output } = collectText(toEvents(30_000));
		expect(process.threadCpuUsage(startedAt).user).toBeLessThan(5_000_000);
		expect(received.slice(received.lastIndexOf("reset") + 1).join("")).toBe(output);
	});

	it("of many pieces takes time in proportion", () => {
		const events = Array.from({ length: 20_000 }, () => artifact("a", [{ text: "word after word, " }], true));
		const startedAt = process.threadCpuUsage();
		const { output } = collectText([artifact("a", [{ text: "So: " }]), ...events]);
		expect(String(output)).toHaveLength(340_004);
		expect(process.threadCpuUsage(startedAt).user).toBeLessThan(2_000_000);
	});
});
