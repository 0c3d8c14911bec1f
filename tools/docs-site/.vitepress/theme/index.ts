import { useData } from "vitepress";
import Theme from "vitepress/theme-without-fonts";
import { defineComponent, h, onMounted, watch } from "vue";
import VersionSwitch from "./version-switch.vue";
import "./style.css";

/** Marks what is the main part of the landing page; all others have an element for it. */
function markMain(isHome: boolean): void {
	const content = document.querySelector("#VPContent");
	if (isHome) content?.setAttribute("role", "main");
	else content?.removeAttribute("role");
}

const Layout = defineComponent({
	setup() {
		const { frontmatter } = useData();
		const mark = (): void => markMain(frontmatter.value.layout === "home");
		onMounted(mark);
		watch(frontmatter, mark, { flush: "post" });
		return () =>
			h(Theme.Layout, null, {
				"nav-bar-content-after": () => h(VersionSwitch, { class: "wide" }),
				"nav-screen-content-after": () => h(VersionSwitch),
			});
	},
});

// biome-ignore lint/style/noDefaultExport: VitePress reads it.
export default { extends: Theme, Layout };
