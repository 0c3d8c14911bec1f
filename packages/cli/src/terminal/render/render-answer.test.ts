import { Writable } from "node:stream";
import type { Answer } from "@stemma/client";
import { expect, it } from "vitest";
import type { Terminal } from "../terminal";
import { createAnswerRenderer } from "./render-answer";

const ANSWER: Answer = {
	answer: "The ferry leaves at nine.",
	citations: [],
	passages: [],
	receipt: [],
	usage: { input_tokens: 0, output_tokens: 0, model_calls: 1, steps: 1 },
};

function render(answer: Answer): string {
	let written = "";
	const stream = () =>
		Object.assign(
			new Writable({
				write(chunk, _, done) {
					written += String(chunk);
					done();
				},
			}),
			{ isTTY: false, columns: 200 },
		);
	const terminal = { stdout: stream(), stderr: stream() } as unknown as Terminal;
	createAnswerRenderer(terminal).onEnd(answer);
	return written;
}

it("tells what a model did against its instructions", () => {
	const text = render({ ...ANSWER, warnings: ["no_citations", "other_language", "instructions_removed"] });
	expect(text).toContain("The model cited no passage");
	expect(text).toContain("not answer in the language of the question");
	expect(text).toContain("repeated its instructions");
	expect(render(ANSWER)).not.toContain("The model");
});
