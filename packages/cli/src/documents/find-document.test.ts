import { describe, expect, it } from "vitest";
import { findSimilarSource } from "./find-document";

describe("findSimilarSource", () => {
	const sources = ["leave.md", "deep/Fees.csv", "deep/pay.md"];

	it("finds what is written much the same", () => {
		expect(findSimilarSource("leaves.md", sources)).toBe("leave.md");
	});

	it.each(["fees.csv", "/home/me/docs/deep/fees.csv", "docs\\deep\\fees.csv"])(
		"finds the same file name in another folder: %s",
		(path) => {
			expect(findSimilarSource(path, sources)).toBe("deep/Fees.csv");
		},
	);

	it("finds nothing that is much different", () => {
		expect(findSimilarSource("contract.pdf", sources)).toBeUndefined();
	});
});
