import { existsSync } from "node:fs";
import { relative, resolve } from "node:path";
import { createStopSignal, limitStartupMemory, limitYoungSpace, untilStopped } from "@stemma/protocol";
import type { Configuration, RunningService, Setting } from "@stemma/service";
import { version } from "../../package.json";
import { removeServiceFile, writeServiceFile } from "../connection/service-file";
import { style, type Terminal } from "../terminal/terminal";

/** Options of `stemma serve`. */
export interface ServeCommandOptions {
	readonly data?: string;
	readonly config?: string;
	readonly host?: string;
	readonly port?: number;
	readonly printConfig: boolean;
	readonly deleteUndecryptableCredentials: boolean;
}

export async function serve(terminal: Terminal, options: ServeCommandOptions): Promise<void> {
	const allowGrowth = limitStartupMemory();
	// Loaded here alone: it is by far the largest part.
	const { createLoginLink, printConfiguration, readConfiguration, startService } = await import(
		"@stemma/service"
	);
	const configuration = await readConfiguration({ file: options.config, options: toSettings(options) });
	if (options.printConfig) {
		terminal.stdout.write(`${printConfiguration(configuration)}\n`);
		return;
	}
	const signal = createStopSignal();
	const { deleteUndecryptableCredentials } = options;
	const service = await startService(configuration, { deleteUndecryptableCredentials });
	try {
		await writeServiceFile(configuration.data, service.url);
		const { listen } = configuration;
		// The first person to sign in: later ones are invited.
		const login = service.bootstrapCredentials.isNew
			? await createLoginLink(configuration, { operator: true, url: listen.publicUrl ?? service.url })
			: undefined;
		terminal.stderr.write(describeStart(terminal, service, configuration, login?.link));
		allowGrowth();
		limitYoungSpace();
		await untilStopped(signal);
		terminal.stderr.write("Stopping: active requests may finish. Press Ctrl-C again to stop at once.\n");
	} finally {
		await removeServiceFile(configuration.data, service.url);
		await service.close();
	}
}

function toSettings({ data, host, port }: ServeCommandOptions): Setting[] {
	const settings: readonly Setting[] = [
		{ source: "--data", path: ["data"], value: data },
		{ source: "--host", path: ["listen", "host"], value: host },
		{ source: "--port", path: ["listen", "port"], value: port },
	];
	return settings.filter(({ value }) => value !== undefined);
}

/** The file is gone where its owner has put the secrets elsewhere. */
function describeCredentials({ path, isNew }: RunningService["bootstrapCredentials"]): string {
	if (isNew) return `First start: its credentials are in ${path}\n`;
	return existsSync(path) ? `Its first credentials are in ${path}\n` : "";
}

function describeStart(
	{ stderr }: Terminal,
	{ url, bootstrapCredentials }: RunningService,
	{ data, database }: Configuration,
	link: string | undefined,
): string {
	const isDefaultFolder = data === resolve("stemma-data");
	const folder = isDefaultFolder ? "" : ` --data ${relative(process.cwd(), data) || "."}`;
	return `${style(stderr, "bold", `Stemma ${version} listens on ${url}`)}
Data: ${database === undefined ? data : `Postgres, and ${data}`}
${describeCredentials(bootstrapCredentials)}${link === undefined ? "" : `Web app: ${link}\n(signs you in once, within 15 minutes)\n`}
Next, in another terminal:
  stemma ingest <folder> --kb <name> --create${folder}
  stemma ask "<question>"${folder}
  stemma clients list${folder}
  stemma login-link${folder}
Ctrl-C stops it.
`;
}
