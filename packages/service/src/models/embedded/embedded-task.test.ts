import { expect, it } from "vitest";
import { findEmbeddedPackages } from "./embedded-packages";
import { type EmbeddedOutput, embedTexts } from "./embedded-task";

const packages = findEmbeddedPackages();

function getVectors(output: EmbeddedOutput): readonly Float32Array[] {
	if ("loadError" in output) throw new Error(output.loadError);
	return output.vectors;
}

/** Cosine of two vectors. */
function compare(one: Float32Array | undefined, other: Float32Array | undefined): number {
	if (one === undefined || other === undefined) throw new Error("A vector is missing.");
	const product = one.reduce((sum, value, index) => sum + value * (other[index] ?? 0), 0);
	return product / (Math.hypot(...one) * Math.hypot(...other));
}

it("makes vectors that are alike where texts mean the same, without a common word", async () => {
	const texts = [
		"How do I reset my password?",
		"Open the settings to choose new login credentials for your account.",
		"The weather will be sunny tomorrow, with a light breeze in the evening.",
	];
	const [question, answer, other] = getVectors(await embedTexts({ packages, texts }));
	expect(question).toHaveLength(512);
	expect(compare(question, answer)).toBeGreaterThan(compare(question, other) + 0.1);
});

it("makes zeros of texts in other languages, and of none the vector of another", async () => {
	const texts = [
		"Wie setze ich mein Kennwort zurück, wenn ich es vergessen habe?",
		"How do I reset my password?",
		"Comment réinitialiser mon mot de passe oublié ?",
		"パスワードをリセットするには",
		"",
	];
	const vectors = getVectors(await embedTexts({ packages, texts }));
	expect(vectors.map((vector) => vector.some((value) => value !== 0))).toEqual([
		false,
		true,
		false,
		false,
		false,
	]);
});
