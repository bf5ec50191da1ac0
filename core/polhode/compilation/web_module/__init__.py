"""The compiled functions of a run as one module of WebAssembly; docs/web_module.md describes how it is built."""
