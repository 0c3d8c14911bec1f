import type { LlmProvider } from "@stemma/client";
import { sanitizeLine } from "../terminal/terminal";
import { formatNotedTable } from "../terminal/text/table";

const HEADER = ["VENDOR", "PROVIDER", "API KEY", "ADDRESS"];

/** A row a vendor, and below it some models and how to get a key. */
export const formatProviders = (all: readonly LlmProvider[]): string =>
	formatNotedTable([HEADER, ...all.map(toCells)], all.map(toNote));

const toCells = ({ id, provider, needs_api_key, base_url }: LlmProvider): string[] =>
	[id, provider, needs_api_key ? "yes" : "no", base_url].map(sanitizeLine);

const toNote = ({ models, api_key_hint, api_key_url = "" }: LlmProvider): string =>
	sanitizeLine(`Models: ${models.join(", ")}. ${api_key_hint} ${api_key_url}`.trimEnd());
