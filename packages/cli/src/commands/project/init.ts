import { ConfigurationError } from "@stemma/core/errors";
import { createProject, describeNextSteps, ProjectError } from "create-stemma";
import { sanitizeText, type Terminal } from "../../terminal/terminal";

/** Options of `stemma init`. */
export interface InitCommandOptions {
	readonly name?: string;
}

/** Makes a project, as `npm create stemma` does. @throws ConfigurationError where the folder is not empty. */
export async function init(
	{ stdout }: Terminal,
	folder: string,
	{ name }: InitCommandOptions,
): Promise<void> {
	try {
		const project = await createProject({ folder, name });
		const next = { workingFolder: process.cwd(), node: process.versions.node };
		stdout.write(sanitizeText(describeNextSteps(project, next)));
	} catch (error) {
		if (!(error instanceof ProjectError)) throw error;
		const { code, message, hint } = error;
		throw new ConfigurationError(message, { code, hint, cause: error });
	}
}
