import Theme from "vitepress/theme-without-fonts";
import { h } from "vue";
import VersionSwitch from "./version-switch.vue";
import "./style.css";

// biome-ignore lint/style/noDefaultExport: VitePress reads it.
export default {
	extends: Theme,
	Layout: () =>
		h(Theme.Layout, null, {
			"nav-bar-content-after": () => h(VersionSwitch, { class: "wide" }),
			"nav-screen-content-after": () => h(VersionSwitch),
		}),
};
