import react from "@vitejs/plugin-react";
import { defineConfig } from "vite";

/** The console is a static site: hashed files beside one page, served from the root of the API's origin. */
export default defineConfig({
  root: import.meta.dirname,
  plugins: [react()],
  build: {
    outDir: "dist",
    emptyOutDir: true,
    // The content security policy does not allow `data:` URLs for scripts and styles, so fonts stay
    // files.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
  },
});
