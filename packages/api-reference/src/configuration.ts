import type { createApiReference } from "@scalar/api-reference";
import type { ApiDescription } from "./list-descriptions";

type Configuration = NonNullable<Parameters<typeof createApiReference>[1]>;

/**
 * Configuration of the reference: it shows documents and examples of requests, and sends nothing itself. What Scalar offers
 * beyond that (requests, proxy, chat, SDKs, fonts, telemetry) would reach its servers, or act for whoever looks at the page.
 *
 * @param origin - of the service, for addresses in the examples.
 */
export const toConfiguration = (descriptions: readonly ApiDescription[], origin: string): Configuration => ({
	sources: descriptions.map(({ title, url }) => ({ title, url, agent: { disabled: true } })),
	baseServerURL: origin,
	agent: { disabled: true },
	mcp: { disabled: true },
	hideClientButton: true,
	hideTestRequestButton: true,
	showDeveloperTools: "never",
	telemetry: false,
	withDefaultFonts: false,
	documentDownloadType: "direct",
	defaultOpenFirstTag: false,
});
