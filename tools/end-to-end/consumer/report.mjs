import { readFile, writeFile } from "node:fs/promises";

/**
 * Runs the scenario with the settings of a file and prints its summary as one line of JSON. Secrets that it came by go
 * into a file of their own, for whoever searches the logs for them.
 */
export async function report(scenario, packages) {
	const [settingsFile, secretsFile] = process.argv.slice(2);
	try {
		const settings = JSON.parse(await readFile(settingsFile, "utf8"));
		const { secrets, ...summary } = await scenario(packages, settings);
		await writeFile(secretsFile, JSON.stringify(secrets));
		console.log(JSON.stringify(summary));
	} catch (error) {
		console.error(error);
		process.exitCode = 1;
	}
}
