service Shop { entity Orders { key ID : Integer; } function total(buyer : String) returns Decimal; }
