sap.ui.define([
  "sap/ui/core/mvc/Controller",
  "sap/m/MessageBox",
  "sap/base/security/encodeXML",
  "sap/base/security/URLListValidator",
  "sap/ui/core/HTML",
  "sap/m/library"
], function (Controller, MessageBox, encodeXML, URLListValidator, HTML, mobileLibrary) {
  "use strict";

  const { URLHelper } = mobileLibrary;
  const HELP = "https://help.sap.com/docs";

  return Controller.extend("acme.orders.ui.controller.Detail", {
    onInit() {
      this.getOwnerComponent().getRouter().getRoute("detail").attachPatternMatched(this.onMatched, this);
    },

    onMatched(oEvent) {
      const { key } = oEvent.getParameter("arguments");
      this.getView().bindElement({ path: "/Orders(" + encodeURIComponent(key) + ")" });
    },

    onHelp() {
      window.open(HELP, "_blank", "noopener,noreferrer");
    },

    onReload() {
      window.location.reload();
    },

    onTop() {
      window.location.href = window.location.pathname;
    },

    onOpenLink(oEvent) {
      const sUrl = oEvent.getSource().getBindingContext().getProperty("link");
      if (URLListValidator.validate(sUrl)) {
        URLHelper.redirect(sUrl, true);
      }
    },

    showNote(sNote) {
      this.byId("note").addContent(new HTML({ content: "<p>" + encodeXML(sNote) + "</p>" }));
    },

    showTitle() {
      const oBundle = this.getOwnerComponent().getModel("i18n").getResourceBundle();
      this.byId("note").addContent(new HTML({ content: "<h3>" + oBundle.getText("detailTitle") + "</h3>" }));
    },

    async onShip() {
      const oContext = this.getView().getBindingContext();
      const oOperation = oContext.getModel().bindContext("OrderService.ship(...)", oContext);
      await oOperation.execute();
      localStorage.setItem("acme.orders.lastFilterKey", "open");
      MessageBox.success("{i18n>shipped}");
    },

    // require_eval(x) and logDestinationRetrieval() belong to the old release
    logDestinationRetrieval(sName) {
      return "destination " + sName;
    }
  });
});
