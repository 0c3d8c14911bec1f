import { expect, test } from "vitest";
import { type Payer, type ReceiptRow, sumByPayer } from "./run-result";

const row = (payer: Payer, input: number, output: number, estimated?: boolean): ReceiptRow => ({
	stage: "answer",
	payer,
	provider: "p",
	vendor_host: "h",
	model: "m",
	input_tokens: input,
	output_tokens: output,
	ms: 1,
	attempts: 1,
	reason: "r",
	...(estimated === undefined ? {} : { estimated }),
});

test("adds up calls and tokens of each payer, and no other", () => {
	const receipt = [
		row("workspace", 1, 2),
		row("deployment", 10, 20, true),
		row("workspace", 3, 4, false),
		row("deployment", 1, 1),
	];
	expect(sumByPayer(receipt)).toEqual({
		workspace: { calls: 2, input_tokens: 4, output_tokens: 6, estimated: false },
		deployment: { calls: 2, input_tokens: 11, output_tokens: 21, estimated: true },
	});
	expect(sumByPayer([])).toEqual({});
});
