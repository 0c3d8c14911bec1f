import { ConfigurationError } from "@stemma/core/errors";
import { createStopSignal, isLoopbackAddress, untilStopped } from "@stemma/protocol";
import type { Setting } from "@stemma/service";
import { version } from "../../../package.json";
import { type DevProject, findDevProject } from "../../dev/dev-project";
import { startDevServer } from "../../dev/dev-server";
import { style, type Terminal } from "../../terminal/terminal";

/** Options of `stemma dev`. */
export interface DevCommandOptions {
	readonly data?: string;
	readonly config?: string;
	readonly port?: number;
}

/** Serves a project for development until it is stopped. */
export async function dev(terminal: Terminal, folder: string, options: DevCommandOptions): Promise<void> {
	const project = findDevProject(folder);
	const { createLoginLink, readConfiguration } = await import("@stemma/service");
	const configuration = await readConfiguration({
		file: options.config,
		workingFolder: project.folder,
		options: toSettings(options),
	});
	assertLoopback(configuration.listen.host);
	const signal = createStopSignal();
	const server = await startDevServer(terminal, project, configuration, signal);
	try {
		const { link } = await createLoginLink(configuration, { operator: true, url: server.url });
		const agents = server.describeAgents();
		terminal.stderr.write(describeStart(terminal, project, { url: server.url, link, agents }));
		await untilStopped(signal);
		terminal.stderr.write("Stopping.\n");
	} finally {
		await server.close();
	}
}

function toSettings({ data, port }: DevCommandOptions): Setting[] {
	const settings: readonly Setting[] = [
		{ source: "--data", path: ["data"], value: data },
		{ source: "--port", path: ["listen", "port"], value: port },
	];
	return settings.filter(({ value }) => value !== undefined);
}

/** The runtime of a project has no token. */
function assertLoopback(host: string): void {
	if (isLoopbackAddress(host)) return;
	throw new ConfigurationError(`stemma dev answers this machine alone, and the settings name ${host}.`, {
		code: "host_not_allowed",
		option: "listen.host",
		hint: "Leave out listen.host. For other machines use stemma serve and stemma runtime.",
	});
}

interface StartDetails {
	readonly url: string;
	readonly link: string;
	readonly agents: string;
}

function describeStart(
	{ stderr }: Terminal,
	{ web }: DevProject,
	{ url, link, agents }: StartDetails,
): string {
	const address = url.replace("127.0.0.1", "localhost");
	const page = web === undefined ? "" : `Page     ${address}/web/\n`;
	return `
${style(stderr, "bold", `Stemma ${version} serves this project on ${url}`)}
${page}Web app  ${link}
         (signs you in once, within 15 minutes)
Agents   POST ${url}/run/<agent>. ${agents}
What you save in agents, tools and documents applies to the next run. Ctrl-C stops it.
`;
}
