import { type Application, PageEvent } from "typedoc";
import { toAccessiblePage } from "./accessible-pages.ts";

/** Called by typedoc, which `typedoc.json` names this plugin to. */
export function load({ renderer }: Application): void {
	renderer.on(PageEvent.END, (page) => {
		if (page.filename.endsWith(".html")) page.contents = toAccessiblePage(page.contents ?? "");
	});
}
