namespace shop;

entity Products {
  key ID    : Integer;
      title : String(100);
      price : Decimal(9, 2);
}

entity Orders {
  key ID      : UUID;
      product : Association to Products;
      buyer   : String(100);
}
