import { visibleText } from "@stemma/core/internal";

/** A title in one line, in which nothing is hidden or reordered: it is shown in lists, and sent to models. */
export const toTitle = (text: string): string => visibleText(text).replace(/\s+/g, " ").trim();
