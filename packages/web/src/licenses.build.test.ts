import { readFile } from "node:fs/promises";
import { expect, it } from "vitest";

it("the build has the licences of all that it contains", async () => {
	const text = await readFile(new URL("../../service/dist/web-app/licenses.md", import.meta.url), "utf8");
	for (const name of ["react", "react-dom", "pdfjs-dist", "@codemirror/view", "@tanstack/react-virtual"])
		expect(text).toMatch(new RegExp(`^## ${name} - \\d`, "m"));
	// Of what PDF.js brings along, whose files are in the build, too.
	for (const words of [
		"Copyright 1990-2009 Adobe Systems Incorporated",
		"LIBERATION FONT SOFTWARE",
		"Copyright 2014 PDFium Authors",
		"Copyright 2014 The PDFium Authors",
		"OpenJPEG",
		"Copyright (C) 2009-2024 Mozilla Corporation",
	])
		expect(text).toContain(words);
});
