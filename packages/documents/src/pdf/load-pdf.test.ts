import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { loadPdf, NO_PIXELS } from "./load-pdf";

const EMBEDDED_FONTS = new URL("../test-support/other-programs/chromium-rtl.pdf", import.meta.url);

it("gives the names of embedded fonts, and no outlines of their letters", async () => {
	const task = loadPdf(readFileSync(EMBEDDED_FONTS), { maxImageSize: NO_PIXELS });
	try {
		const page = await (await task.promise).getPage(1);
		await page.getOperatorList();
		const objects = [...page.commonObjs].map(([, { name }]) => name);
		expect(objects).toEqual(["AAAAAA+DejaVuSans-Bold", "BAAAAA+DejaVuSans"]);
	} finally {
		await task.destroy();
	}
});
