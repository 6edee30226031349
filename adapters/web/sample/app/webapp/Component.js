sap.ui.define(["sap/ui/core/UIComponent"], function (UIComponent) {
  "use strict";
  return UIComponent.extend("sample.shop.Component", { metadata: { manifest: "json" } });
});
