import { PassThrough } from "node:stream";
import type { ReceiptRow } from "@stemma/core";
import { expect, it } from "vitest";
import type { Terminal } from "../terminal";
import { renderReceipt } from "./render-receipt";

const row = (more: Partial<ReceiptRow>): ReceiptRow => ({
	...{ stage: "answer", payer: "deployment", provider: "openai-compatible", vendor_host: "api.example" },
	...{ model: "large", input_tokens: 10, output_tokens: 5, ms: 7, attempts: 1, reason: "Because." },
	...more,
});
const render = (...rows: readonly ReceiptRow[]): string =>
	renderReceipt(rows, { stdout: new PassThrough() } as unknown as Pick<Terminal, "stdout">);

it("shows what calls cost, and how many have no price", () => {
	const cost = (amount: string) => ({ cost: { currency: "EUR", amount } });
	const text = render(
		row(cost("0.1")),
		row({ ...cost("0.2"), estimated: true }),
		row({ model: "other" }),
		row({ payer: "none", model: "extractive" }),
	);
	expect(text).toMatch(/0\.1 EUR\n.*about 0\.2 EUR\n.*no price\n.*free *\n/);
	expect(text).toContain("  about 0.3 EUR in all at the prices of then, without 1 call that has no price\n");
});

it("says nothing about money where no call has a price", () => {
	expect(render(row({}), row({}))).not.toMatch(/price|EUR/);
});
