import { expect } from "vitest";

/**
 * Demands that no secret stands in what programs wrote, not even its second half. The failure names it by its kind alone.
 *
 * @param secrets - by their kinds.
 */
export function expectNoSecrets(outputs: string, secrets: Readonly<Record<string, readonly string[]>>): void {
	const lines = outputs.split("\n");
	const findings = Object.entries(secrets).flatMap(([kind, values]) =>
		values.map(secondHalf).flatMap((half) => {
			const line = lines.find((candidate) => candidate.includes(half));
			return line === undefined ? [] : [`${kind}: ${line.replaceAll(half, "<secret>")}`];
		}),
	);
	expect(findings).toEqual([]);
}

function secondHalf(secret: string): string {
	if (secret.length < 24) throw new Error("A secret so short would be found by chance.");
	return secret.slice(Math.ceil(secret.length / 2));
}
