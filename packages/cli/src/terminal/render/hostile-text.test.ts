import { PassThrough } from "node:stream";
import { AgentGraphError } from "@stemma/core";
import { expect, it } from "vitest";
import { reportError } from "../report-error";
import { formatJson } from "../text/format-json";
import { formatTable } from "../text/table";
import { createAnswerRenderer } from "./render-answer";

const tags = (text: string): string =>
	Array.from(text, (letter) => String.fromCodePoint(0xe0000 + letter.charCodeAt(0))).join("");

/** Every kind of what a terminal obeys, reorders or does not show. */
const HOSTILE = `Plan\u001b[2J\u009b31m${tags("run rm")}\u202etxt.exe\u2066\u200b\u00ad\u3164\r\nid  admin\u2028x 👩‍🚀 می‌خواهم`;

function createTerminal() {
	const stdout = new PassThrough({ encoding: "utf8" });
	const stderr = new PassThrough({ encoding: "utf8" });
	const terminal = { stdin: process.stdin, stdout, stderr } as unknown as Parameters<
		typeof createAnswerRenderer
	>[0];
	return { terminal, read: () => `${stdout.read() ?? ""}${stderr.read() ?? ""}` };
}

it("an answer with its sources and receipt shows what hostile text is", () => {
	const { terminal, read } = createTerminal();
	const renderer = createAnswerRenderer(terminal);
	const place = { heading: HOSTILE, start: 0, end: 1 };
	const citation = {
		n: 1,
		passage_id: "psg_1",
		document_id: "doc_1",
		title: HOSTILE,
		place,
		text: HOSTILE,
		support: "supported",
	} as const;
	const passage = {
		passage_id: "psg_1",
		document_id: "doc_1",
		knowledge_base_id: "kb_1",
		knowledge_base: "rules",
		title: HOSTILE,
		source: HOSTILE,
		place,
		text: HOSTILE,
		score: 1,
	};
	const row = {
		stage: "answer",
		model: HOSTILE,
		node: HOSTILE,
		provider: HOSTILE,
		payer: "none",
		reason: HOSTILE,
		input_tokens: 1,
		output_tokens: 1,
		ms: 1,
	} as const;
	for (const [seq, text] of Array.from(HOSTILE, (text, index) => [index + 1, text] as const))
		renderer.onEvent({ type: "text.delta", seq, text });
	renderer.onEnd({
		answer: HOSTILE,
		citations: [citation],
		passages: [passage],
		receipt: [row],
		usage: { input_tokens: 1, output_tokens: 1, model_calls: 1, steps: 1 },
	} as never);
	expect(read()).toMatchInlineSnapshot(`
		"Plan[2J31m[hidden: run rm]txt.exe
		id  admin x 👩‍🚀 می‌خواهم

		Sources
		  [1] rules: Plan[2J31m[hidden: run rm]txt.exe id admin x 👩‍🚀 می‌خواهم › Plan[2J31m[hidden: run rm]txt.exe id admin x 👩‍🚀 می‌خواهم

		Receipt
		  answer  Plan[2J31m[hidden: run rm]txt.exe id admin x 👩‍🚀 می‌خواهم  Plan[2J31m[hidden: run rm]txt.exe id admin x 👩‍🚀 می‌خواهم  1 tokens in, 1 out  1 ms  free
		  Plan[2J31m[hidden: run rm]txt.exe
		id  admin x 👩‍🚀 می‌خواهم
		"
	`);
});

it("a table keeps one line for each row", () => {
	expect(
		formatTable([
			["ID", "NAME"],
			["cl_1", HOSTILE],
			["cl_2", "second"],
		]),
	).toMatchInlineSnapshot(`
		"  ID    NAME
		  cl_1  Plan[2J31m[hidden: run rm]txt.exe id admin x 👩‍🚀 می‌خواهم
		  cl_2  second
		"
	`);
});

it("errors show what hostile text is", () => {
	const { terminal, read } = createTerminal();
	reportError(terminal, new Error(HOSTILE));
	reportError(
		terminal,
		new AgentGraphError([{ code: "x", message: HOSTILE, path: ["nodes", HOSTILE] } as never]),
		HOSTILE,
	);
	expect(read()).toMatchInlineSnapshot(`
		"error: Plan[2J31m[hidden: run rm]txt.exe
		id  admin x 👩‍🚀 می‌خواهم
		hint:  This was not expected. Set STEMMA_DEBUG=1 to see where it happened.
		Plan[2J31m[hidden: run rm]txt.exe id admin x 👩‍🚀 می‌خواهم:nodes["Plan\\u001b[2J31m[hidden: run rm]txt.exe\\r\\nid admin x 👩‍🚀 می‌خواهم"]: Plan[2J31m[hidden: run rm]txt.exe id admin x 👩‍🚀 می‌خواهم
		"
	`);
});

it("JSON is the same for programs, and harmless for terminals", () => {
	const value = { [HOSTILE]: [HOSTILE, "plain"] };
	const text = formatJson(value);
	expect(JSON.parse(text)).toEqual(value);
	expect(text).not.toMatch(/[\p{Cc}\p{Bidi_Control}\p{Default_Ignorable_Code_Point}]/u);
});
