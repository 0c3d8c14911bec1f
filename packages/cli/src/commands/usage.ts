import type { UsageQuery } from "@stemma/client";
import { type ConnectionOptions, withService } from "../connection/with-service";
import type { Terminal } from "../terminal/terminal";
import { formatJson } from "../terminal/text/format-json";
import { formatUsage } from "../usage/format-usage";

/** Options of `stemma usage`. */
export interface UsageCommandOptions extends ConnectionOptions, UsageQuery {
	readonly json: boolean;
}

export async function showUsage(
	terminal: Terminal,
	{ from, to, payer, stage, ...options }: UsageCommandOptions,
): Promise<void> {
	const query: UsageQuery = {
		...(from === undefined ? {} : { from }),
		...(to === undefined ? {} : { to }),
		...(payer === undefined ? {} : { payer }),
		...(stage === undefined ? {} : { stage }),
	};
	const result = await withService(options, ({ usage }) => usage(query));
	terminal.stdout.write(options.json ? `${formatJson(result)}\n` : formatUsage(result));
}
