import { PassThrough } from "node:stream";
import { expect, it } from "vitest";
import { runCommandLine } from "../../program";
import type { Terminal } from "../../terminal/terminal";

const SECRET = "sk-not-to-be-seen";

async function run(...args: readonly string[]) {
	const output = new PassThrough();
	const terminal = { stdin: process.stdin, stdout: output, stderr: output } as unknown as Terminal;
	const exitCode = await runCommandLine(terminal, args);
	return { exitCode, written: String(output.read()) };
}

it.each([
	["settings set", "--api-key"],
	["settings test", "--api-key"],
	["secrets set crm --server https://crm.example", "--value"],
])("%s refuses a secret on the command line, and does not repeat it", async (command, option) => {
	for (const given of [[option, SECRET], [`${option}=${SECRET}`]]) {
		const { exitCode, written } = await run(...command.split(" "), ...given);
		expect(written).toContain(`${option}-stdin`);
		expect(written).toContain("not an option");
		expect(written).not.toContain(SECRET);
		expect(exitCode).toBe(1);
	}
});

it.each([
	["--api-key-env A --api-key-stdin"],
	["--api-key-env A --no-api-key"],
	["--no-api-key --api-key-stdin"],
	["--vendor groq --provider bedrock"],
])("takes one of %s alone", async (options) => {
	const { exitCode, written } = await run("settings", "set", ...options.split(" "));
	expect(written).toContain("cannot be used with");
	expect(exitCode).toBe(1);
});

it.each(["settings", "settings set", "settings stages", "secrets", "secrets set", "usage", "audit"])(
	"%s --help has examples, and no option for a secret",
	async (command) => {
		const { exitCode, written } = await run(...command.split(" "), "--help");
		expect(written).toContain("Examples:");
		expect(written).toContain("Exit codes:");
		expect(written).not.toMatch(/--(api-key|value) /);
		expect(exitCode).toBe(0);
	},
);
