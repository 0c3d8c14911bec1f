import { PassThrough } from "node:stream";
import { afterEach, describe, expect, it, vi } from "vitest";
import type { Terminal } from "../terminal";
import { readSecret } from "./read-secret";

const SECRET = "sk-not-to-be-seen";

/** Standard input with this text, and what is written meanwhile. */
function createTerminal(input: string, isTTY: boolean): { terminal: Terminal; written: () => string } {
	const stdin = Object.assign(new PassThrough(), { isTTY, setRawMode: () => undefined });
	const output = new PassThrough();
	stdin.end(input);
	return {
		terminal: { stdin, stdout: output, stderr: output } as unknown as Terminal,
		written: () => output.read()?.toString() ?? "",
	};
}

describe("from standard input", () => {
	it.each([
		["one line", `${SECRET}\n`, SECRET],
		["a line of Windows", `${SECRET}\r\n`, SECRET],
		["no line break", SECRET, SECRET],
		["one line break too many", `${SECRET}\n\n`, `${SECRET}\n`],
		["several lines", '{\n"a": 1\n}\n', '{\n"a": 1\n}'],
		["blanks around it", `  ${SECRET} `, `  ${SECRET} `],
	])("takes %s of a pipe", async (_, input, secret) => {
		const { terminal, written } = createTerminal(input, false);
		expect(await readSecret(terminal, "input", "API key")).toBe(secret);
		expect(written()).toBe("");
	});

	it.each([
		["a line, and leaves what follows", `${SECRET}\nls\n`, SECRET],
		["a line with corrections", `sk-X\u007fnot-to-be-seen\n`, SECRET],
		["a pasted object whole", '{"a": {\n"b": 1\n}}\nls\n', '{"a": {\n"b": 1\n}}'],
		["what looks like an object up to the end", "{never\nclosed", "{never\nclosed"],
	])("takes %s of a terminal, and shows nothing", async (_, input, secret) => {
		const { terminal, written } = createTerminal(input, true);
		expect(await readSecret(terminal, "input", "API key")).toBe(secret);
		expect(written()).toBe("API key (it is not shown): \n");
	});

	it.each([
		["an empty pipe", "", false],
		["blank lines", " \n\n", false],
		["Enter alone", "\n", true],
		["Ctrl-D", "", true],
	])("refuses %s", async (_, input, isTTY) => {
		const { terminal } = createTerminal(input, isTTY);
		await expect(readSecret(terminal, "input", "API key")).rejects.toThrow(
			"No API key was given: the input is empty.",
		);
	});
});

describe("from the environment", () => {
	afterEach(() => vi.unstubAllEnvs());
	const { terminal } = createTerminal("", false);

	it("takes a variable as it is", async () => {
		vi.stubEnv("STEMMA_TEST_KEY", `${SECRET}\n`);
		expect(await readSecret(terminal, { variable: "STEMMA_TEST_KEY" }, "API key")).toBe(`${SECRET}\n`);
	});

	it.each([
		["is not set", "STEMMA_TEST_KEY"],
		["is empty", "STEMMA_TEST_EMPTY"],
	])("names a variable that %s", async (_, variable) => {
		vi.stubEnv("STEMMA_TEST_EMPTY", "");
		await expect(readSecret(terminal, { variable }, "API key")).rejects.toThrow(
			`No API key was given: the environment variable ${variable} is not set, or it is empty.`,
		);
	});

	it.each([SECRET, "AKIAIOSFODNN7EXAMPLE", "sk_live_1234", "A:B_C", `{"A_B": 1}`])(
		"does not repeat what may be the key itself: %s",
		async (variable) => {
			const error = await readSecret(terminal, { variable }, "API key").catch((thrown: unknown) => thrown);
			expect(error).toMatchObject({ message: expect.stringContaining("of that name is not set") });
			expect(JSON.stringify(error)).not.toContain(variable);
		},
	);
});
