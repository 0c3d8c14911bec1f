import { expect, it } from "vitest";
import { openOcr } from "./open-ocr";

it("finds none where nothing is installed, or no language is wanted", () => {
	expect(openOcr()).toBeUndefined();
	expect(openOcr([])).toBeUndefined();
});

it("names what to install for a language that is wanted", () => {
	expect(() => openOcr(["eng", "chi_sim"])).toThrow(
		expect.objectContaining({
			message: expect.stringContaining("@tesseract.js-data/chi_sim"),
			hint: expect.stringContaining("npm install tesseract.js-core @tesseract.js-data/eng"),
		}),
	);
});
