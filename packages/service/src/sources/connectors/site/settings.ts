import type { SiteSourceSettings } from "@stemma/client";

/** Settings of a web site as a source. */
export type SiteSettings = SiteSourceSettings;

/** Defaults of the settings, in pages, links from the start, and milliseconds between two requests. */
export const DEFAULT_MAX_PAGES = 1_000;
export const DEFAULT_MAX_DEPTH = 5;
export const DEFAULT_DELAY_MS = 200;
